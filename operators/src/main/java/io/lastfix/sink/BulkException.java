package io.lastfix.sink;

import org.jspecify.annotations.Nullable;

/** A bulk that failed as a whole. Its message holds no contents of documents. */
public final class BulkException extends Exception {
  private final boolean retryable;

  private BulkException(boolean retryable, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.retryable = retryable;
  }

  /** One that may well go through later: no primary, a lost connection, no answer in time. */
  static BulkException retryable(String message, @Nullable Throwable cause) {
    return new BulkException(true, message, cause);
  }

  /** One that fails the job, because it would fail again: no permission, a bug. */
  static BulkException fatal(String message, @Nullable Throwable cause) {
    return new BulkException(false, message, cause);
  }

  boolean isRetryable() {
    return retryable;
  }
}
