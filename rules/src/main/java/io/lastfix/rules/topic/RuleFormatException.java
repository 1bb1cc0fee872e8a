package io.lastfix.rules.topic;

/** A message of {@code lastfix.rules} cannot be read. */
public final class RuleFormatException extends Exception {
  RuleFormatException(String message) {
    super(message);
  }
}
