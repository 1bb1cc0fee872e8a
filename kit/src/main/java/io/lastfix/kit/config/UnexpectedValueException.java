package io.lastfix.kit.config;

/** A value that fails a check. The message says what was expected; the value may be added to it. */
final class UnexpectedValueException extends IllegalArgumentException {
  UnexpectedValueException(String expected) {
    super("expected " + expected);
  }
}
