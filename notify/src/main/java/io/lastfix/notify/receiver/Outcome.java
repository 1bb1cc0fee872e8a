package io.lastfix.notify.receiver;

import java.time.Duration;

/** How an attempt ended. */
public sealed interface Outcome {
  /** The receiver has the alert. */
  record Delivered() implements Outcome {}

  /**
   * A later attempt may succeed.
   *
   * @param reason for logs and messages
   * @param retryAfter the least pause, as the receiver wants it
   */
  record Failed(String reason, Duration retryAfter) implements Outcome {
    /** The receiver wants no pause. */
    public Failed(String reason) {
      this(reason, Duration.ZERO);
    }
  }

  /**
   * No later attempt would succeed.
   *
   * @param reason for logs and messages
   */
  record Refused(String reason) implements Outcome {}
}
