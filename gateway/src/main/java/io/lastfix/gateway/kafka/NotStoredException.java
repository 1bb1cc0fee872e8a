package io.lastfix.gateway.kafka;

import org.jspecify.annotations.Nullable;

/** Kafka did not acknowledge a record in time. It may be stored all the same. */
public final class NotStoredException extends RuntimeException {
  private final boolean tooLarge;

  NotStoredException(String message, @Nullable Throwable cause, boolean tooLarge) {
    super(message, cause);
    this.tooLarge = tooLarge;
  }

  /** Whether the topic takes no record of this size, so that another attempt will not help. */
  public boolean isTooLarge() {
    return tooLarge;
  }
}
