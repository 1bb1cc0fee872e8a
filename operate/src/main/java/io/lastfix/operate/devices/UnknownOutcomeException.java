package io.lastfix.operate.devices;

import java.io.IOException;

/** Kafka did not say whether it has stored a message: it may have. */
public final class UnknownOutcomeException extends IOException {
  /** Takes the message for the user, and why Kafka did not answer. */
  public UnknownOutcomeException(String message, Throwable cause) {
    super(message, cause);
  }
}
