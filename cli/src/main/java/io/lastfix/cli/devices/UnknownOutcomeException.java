package io.lastfix.cli.devices;

import java.io.IOException;

/** Kafka did not say whether it has stored a message: it may have. */
final class UnknownOutcomeException extends IOException {
  private static final long serialVersionUID = 1L;

  UnknownOutcomeException(String message, Throwable cause) {
    super(message, cause);
  }
}
