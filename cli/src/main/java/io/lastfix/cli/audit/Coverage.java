package io.lastfix.cli.audit;

/**
 * Which of the stored documents the topics can say something of.
 *
 * @param range the stretch of time that is judged
 * @param coveredFromMillis documents from before may have come from messages that Kafka has deleted
 *     since
 * @param latestBelievedMillis the job would take a record of this time now, and none after it
 */
record Coverage(AuditRange range, long coveredFromMillis, long latestBelievedMillis) {
  /** Whether the topics hold the message of every document of that time. */
  boolean isCovered(long timestampMillis) {
    return timestampMillis >= coveredFromMillis;
  }

  boolean isBelievedNow(long timestampMillis) {
    return timestampMillis <= latestBelievedMillis;
  }
}
