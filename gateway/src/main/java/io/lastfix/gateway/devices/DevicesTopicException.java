package io.lastfix.gateway.devices;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The topic {@code lastfix.devices} cannot be used. */
public final class DevicesTopicException extends IOException {
  DevicesTopicException(String message) {
    super(message);
  }

  DevicesTopicException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
