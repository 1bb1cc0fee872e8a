package io.lastfix.rules.alert;

import org.jspecify.annotations.Nullable;

/** A message of {@code lastfix.alerts} cannot be read. */
public final class AlertFormatException extends Exception {
  AlertFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
