package io.lastfix.sink;

import org.jspecify.annotations.Nullable;

/** A bulk failed as a whole. The message contains no contents of documents. */
public final class BulkException extends Exception {
  private final boolean retryable;

  private BulkException(boolean retryable, String message, @Nullable Throwable cause) {
    super(message, cause);
    this.retryable = retryable;
  }

  /**
   * Returns a failure that a retry may resolve: no primary, a lost connection, no answer in time.
   */
  static BulkException retryable(String message, @Nullable Throwable cause) {
    return new BulkException(true, message, cause);
  }

  /**
   * Returns a failure that fails the job, because a retry would fail again: a missing right, a bug.
   */
  static BulkException fatal(String message, @Nullable Throwable cause) {
    return new BulkException(false, message, cause);
  }

  boolean isRetryable() {
    return retryable;
  }
}
