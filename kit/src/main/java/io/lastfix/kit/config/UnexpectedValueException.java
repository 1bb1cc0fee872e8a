package io.lastfix.kit.config;

/** A value that fails a check. The message says what was expected; the value may be added to it. */
final class UnexpectedValueException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  UnexpectedValueException(String expected) {
    super("expected " + expected);
  }
}
