package io.lastfix.cluster.flink;

import java.util.Map;
import java.util.TreeMap;

/**
 * A job's counters since its start, at one instant.
 *
 * @param rejectedByReason records rejected by the parser, by reason code
 * @param inserted documents added to History
 * @param duplicates records that History already had
 * @param unlocated records that were forwarded without coordinates
 * @param records records that the parser read
 */
public record JobCounts(
    Map<String, Long> rejectedByReason,
    long inserted,
    long duplicates,
    long unlocated,
    long records) {

  /** The counters among those metrics. */
  public static JobCounts of(LocationMetrics metrics) {
    return new JobCounts(
        metrics.rejectedByReason(),
        metrics.historyInserted(),
        metrics.historyDuplicates(),
        metrics.unlocated(),
        metrics.records());
  }

  public long rejected() {
    return rejectedByReason.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The difference to an earlier reading. */
  public JobCounts since(JobCounts earlier) {
    Map<String, Long> reasons = new TreeMap<>();
    rejectedByReason.forEach(
        (reason, count) -> {
          long more = count - earlier.rejectedByReason.getOrDefault(reason, 0L);
          if (more != 0) {
            reasons.put(reason, more);
          }
        });
    return new JobCounts(
        reasons,
        inserted - earlier.inserted,
        duplicates - earlier.duplicates,
        unlocated - earlier.unlocated,
        records - earlier.records);
  }
}
