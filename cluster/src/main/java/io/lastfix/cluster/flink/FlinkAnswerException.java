package io.lastfix.cluster.flink;

import java.io.IOException;

/** Flink answered that it did not do what was requested. */
public final class FlinkAnswerException extends IOException {
  private final int status;

  FlinkAnswerException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Returns whether there is no such thing (404). */
  boolean isNotFound() {
    return status == 404;
  }

  /** Returns whether Flink certainly did nothing, because the request was wrong (400 to 499). */
  public boolean isRefusal() {
    return status >= 400 && status < 500;
  }
}
