package io.lastfix.cli.devices;

import java.io.IOException;

/** Kafka did not say whether it has stored a message: it may have. */
final class UnknownOutcomeException extends IOException {
  UnknownOutcomeException(String message, Throwable cause) {
    super(message, cause);
  }
}
