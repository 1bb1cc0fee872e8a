package io.lastfix.store.history;

import io.lastfix.store.connect.ArgumentChecks;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * How long History keeps records. It keeps and drops whole partitions. A partition is
 * <em>expired</em> if it ended at least {@code kept} ago. The job rejects records of an expired
 * partition and drops the partition after {@code grace} more, when no record accepted before can
 * still arrive.
 *
 * @param period period of the partitions
 * @param kept how long; one period or more, 100 years or less
 * @param grace additional time before an expired partition is dropped; 0 or more
 */
public record HistoryRetention(PartitionPeriod period, Duration kept, Duration grace)
    implements Serializable {
  private static final Duration LONGEST = Duration.ofDays(36_525);

  /**
   * Covers delays that no option limits: records wait in Flink's own buffers while MongoDB is slow,
   * and the clocks of two machines differ.
   */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  public HistoryRetention {
    if (!isPossible(period, kept)) {
      throw new IllegalArgumentException(
          "kept: expected %s, found %s".formatted(expected(period), kept));
    }
    ArgumentChecks.atLeast("grace", grace.toMillis(), 0);
  }

  /**
   * Returns a retention whose grace covers records in flight.
   *
   * @param longestWay how long a record can take from the parser to MongoDB, as far as the
   *     configuration limits it
   */
  public static HistoryRetention of(PartitionPeriod period, Duration kept, Duration longestWay) {
    return new HistoryRetention(period, kept, longestWay.plus(MARGIN));
  }

  /** Returns true if History with that period can be kept that long. */
  public static boolean isPossible(PartitionPeriod period, Duration kept) {
    return kept.compareTo(period.longest()) >= 0 && kept.compareTo(LONGEST) <= 0;
  }

  /** Describes the range of {@link #isPossible}, for a message. */
  public static String expected(PartitionPeriod period) {
    return "one period or more (%s: %s), and 36525 d or less"
        .formatted(
            period, period == PartitionPeriod.HOUR ? "1 h" : period.longest().toDays() + " d");
  }

  /** Returns true if the job rejects records of the partition. */
  public boolean isExpired(HistoryPartition partition, Instant now) {
    return !partition.end().isAfter(now.minus(kept));
  }

  /** Returns true if no write to the partition can arrive any more, so that it can be dropped. */
  public boolean isDroppable(HistoryPartition partition, Instant now) {
    return isExpired(partition, now.minus(grace));
  }

  /**
   * Returns the first instant whose partition is not expired.
   *
   * @param nowMillis milliseconds since 1970, as is the result
   */
  public long firstKept(long nowMillis) {
    return period.startOf(nowMillis - kept.toMillis());
  }
}
