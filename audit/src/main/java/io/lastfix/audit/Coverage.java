package io.lastfix.audit;

/**
 * Which of the stored documents the topics can say something of.
 *
 * @param range the stretch of time that is judged
 * @param coveredFromMillis documents from before may have come from messages that Kafka has deleted
 *     since
 * @param latestBelievedMillis the job would take a record of this time now, and none after it
 * @param keptFromMillis what is from before is of partitions that are expired, or about to be: of
 *     these nothing is said
 */
record Coverage(
    AuditRange range, long coveredFromMillis, long latestBelievedMillis, long keptFromMillis) {
  /** Whether the topics hold the message of every document of that time. */
  boolean isCovered(long timestampMillis) {
    return timestampMillis >= coveredFromMillis;
  }

  boolean isBelievedNow(long timestampMillis) {
    return isKept(timestampMillis) && timestampMillis <= latestBelievedMillis;
  }

  /** Whether the partition of that time is there for good. */
  boolean isKept(long timestampMillis) {
    return timestampMillis >= keptFromMillis;
  }
}
