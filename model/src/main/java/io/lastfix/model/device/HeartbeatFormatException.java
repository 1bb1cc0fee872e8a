package io.lastfix.model.device;

import org.jspecify.annotations.Nullable;

/** The bytes are no message of {@code lastfix.heartbeats}. The message quotes none of them. */
public final class HeartbeatFormatException extends Exception {
  HeartbeatFormatException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
