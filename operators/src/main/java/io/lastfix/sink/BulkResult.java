package io.lastfix.sink;

import java.util.List;

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
public record BulkResult(
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
  record WriteFailure(int index, Kind kind, int code, String message) {}

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
