package io.lastfix.rules.topic;

import org.jspecify.annotations.Nullable;

/** A message of {@code lastfix.rules} cannot be read. */
public final class RuleFormatException extends Exception {
  RuleFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
