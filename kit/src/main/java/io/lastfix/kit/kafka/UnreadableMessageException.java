package io.lastfix.kit.kafka;

import org.jspecify.annotations.Nullable;

/** A message of a topic cannot be read. */
public final class UnreadableMessageException extends Exception {
  /**
   * Takes the reason, which is logged.
   *
   * @param message without the content of the topic's message
   */
  public UnreadableMessageException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
