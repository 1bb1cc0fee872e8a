package io.lastfix.audit;

/**
 * The stored documents that the topics allow to judge.
 *
 * @param range the range of time to judge
 * @param coveredFromMillis earlier documents may come from messages that Kafka has deleted since
 * @param latestAcceptedMillis the latest time of a record that the job would accept now
 * @param keptFromMillis earlier documents belong to partitions that are expired or will expire
 *     soon, and are not judged
 */
record Coverage(
    AuditRange range, long coveredFromMillis, long latestAcceptedMillis, long keptFromMillis) {
  /** Returns whether the topics hold the message of every document of that time. */
  boolean isCovered(long timestampMillis) {
    return timestampMillis >= coveredFromMillis;
  }

  boolean isAcceptedNow(long timestampMillis) {
    return isKept(timestampMillis) && timestampMillis <= latestAcceptedMillis;
  }

  /** Returns whether the partition of that time will not expire during the audit. */
  boolean isKept(long timestampMillis) {
    return timestampMillis >= keptFromMillis;
  }
}
