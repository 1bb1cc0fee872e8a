package io.lastfix.gateway.devices;

import org.jspecify.annotations.Nullable;

/** A message of {@code lastfix.devices} cannot be read. */
public final class DevicesFormatException extends Exception {
  DevicesFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
