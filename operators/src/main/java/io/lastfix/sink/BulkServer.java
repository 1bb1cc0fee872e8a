package io.lastfix.sink;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer's view of MongoDB: prepares a collection, sends a bulk, reports the result of each
 * write.
 *
 * <p>Every write must be idempotent: the writer sends a failed bulk again even though part of it
 * may have been stored.
 *
 * @param <T> the records
 */
public interface BulkServer<T> extends AutoCloseable {
  /**
   * Returns true if the collection is ready for writes; otherwise it must be prepared first. Does
   * not block.
   */
  default boolean isReady(String collection) {
    return true;
  }

  /**
   * Prepares the collection for writes. Blocks, within a time limit of its own. One thread calls
   * it, while others write to other collections.
   *
   * @throws BulkException if the preparation failed
   */
  default void prepare(String collection) throws BulkException {}

  /**
   * Writes the records, in any order. Blocks, within a time limit of its own, until the server has
   * answered. Several threads call it at once.
   *
   * @throws BulkException if the bulk failed as a whole, or its result is unknown
   */
  BulkResult write(String collection, List<T> records) throws BulkException;

  /** Closes all connections; writes in progress may fail. */
  @Override
  void close();

  /** A bulk failed as a whole. The message contains no contents of documents. */
  final class BulkException extends Exception {
    private final boolean retryable;

    /**
     * @param retryable whether a retry may resolve it: see the two methods below
     */
    BulkException(boolean retryable, String message, @Nullable Throwable cause) {
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
     * Returns a failure that fails the job, because a retry would fail again: a missing right, a
     * bug.
     */
    static BulkException fatal(String message, @Nullable Throwable cause) {
      return new BulkException(false, message, cause);
    }

    boolean isRetryable() {
      return retryable;
    }
  }

  /**
   * The result of one bulk. The four counts and the failures add up to its size.
   *
   * @param inserted new documents
   * @param updated changed or deleted documents
   * @param stale existing documents left unchanged, because their content is as new or newer; and
   *     deletions that found no document, or a newer one
   * @param duplicates inserts of an existing document
   * @param failures the failed writes
   */
  record BulkResult(
      int inserted, int updated, int stale, int duplicates, List<WriteFailure> failures) {

    /** Returns true if it contains a failure that a retry cannot resolve. */
    boolean failsTheJob() {
      return failures.stream().anyMatch(failure -> failure.kind() == Kind.FATAL);
    }

    /**
     * One failed write.
     *
     * @param index index of the write in its bulk
     * @param kind how to handle it
     * @param code the server's error code
     * @param message the server's message, without contents of documents
     */
    record WriteFailure(int index, Kind kind, int code, String message) {
      /** Returns the failure of a bulk that needs this write, named after what the write is for. */
      BulkException toException(String work) {
        return new BulkException(
            kind != Kind.FATAL, "%s failed (code %d): %s".formatted(work, code, message), null);
      }
    }

    /** How to handle a failed write. */
    enum Kind {
      /** Send it again at once: it lost a race that is now over. */
      RETRY_AT_ONCE,
      /** Send it again after a pause. */
      RETRY_LATER,
      /** Fail the job: it would fail again. */
      FATAL
    }
  }
}
