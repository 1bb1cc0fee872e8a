package io.lastfix.sink;

import java.util.List;

/**
 * What became of the writes of one bulk. The four counts and the failures add up to its size.
 *
 * @param inserted new documents
 * @param updated documents that were changed
 * @param stale documents that were there and stay as they are, because what they hold is as new or
 *     newer
 * @param duplicates inserts of a document that was there already
 * @param failures the writes that did not go through
 */
public record BulkResult(
    int inserted, int updated, int stale, int duplicates, List<WriteFailure> failures) {

  /** Whether it holds a failure that would fail again. */
  boolean failsTheJob() {
    return failures.stream().anyMatch(failure -> failure.kind() == Kind.FATAL);
  }

  /**
   * One write that did not go through.
   *
   * @param index of the write in its bulk
   * @param kind what to do about it
   * @param code the server's number for the error
   * @param message the server's words, without contents of documents
   */
  record WriteFailure(int index, Kind kind, int code, String message) {}

  /** What to do about a write that did not go through. */
  enum Kind {
    /** Send it again: it lost a race, and has already lost it. */
    RETRY_AT_ONCE,
    /** Send it again after a pause. */
    RETRY_LATER,
    /** Fail the job: it would fail again. */
    FATAL
  }
}
