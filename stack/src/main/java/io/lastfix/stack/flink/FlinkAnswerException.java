package io.lastfix.stack.flink;

import java.io.IOException;

/** Flink answered, and did not do what it was asked for. */
public final class FlinkAnswerException extends IOException {
  private static final long serialVersionUID = 1;

  private final int status;

  FlinkAnswerException(int status, String message) {
    super(message);
    this.status = status;
  }

  /** Whether it surely has done nothing: the request itself was wrong (400 to 499). */
  public boolean isRefusal() {
    return status >= 400 && status < 500;
  }
}
