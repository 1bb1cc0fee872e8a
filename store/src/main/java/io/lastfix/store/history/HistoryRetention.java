package io.lastfix.store.history;

import io.lastfix.store.connect.Checks;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * How long History keeps records. It keeps and drops whole partitions: one is <em>expired</em> when
 * it was over that long ago. The records of an expired partition are rejected, and the partition is
 * dropped, a while later, when none of those that were let in before can still be on their way to
 * it.
 *
 * @param period of the partitions
 * @param kept how long; one period or more, 100 years or less
 * @param grace how much longer an expired partition is left alone; 0 or more
 */
public record HistoryRetention(PartitionPeriod period, Duration kept, Duration grace)
    implements Serializable {
  private static final Duration LONGEST = Duration.ofDays(36_525);

  /**
   * For what no setting bounds: records wait in Flink's own buffers while MongoDB is slow, and the
   * clocks of two machines differ.
   */
  private static final Duration MARGIN = Duration.ofMinutes(10);

  public HistoryRetention {
    Objects.requireNonNull(period, "period");
    if (!isPossible(period, kept)) {
      throw new IllegalArgumentException(
          "kept: expected %s, found %s".formatted(expected(period), kept));
    }
    Checks.atLeast("grace", grace.toMillis(), 0);
  }

  /**
   * With a grace for records that are on their way.
   *
   * @param longestWay how long a record may be on its way from the parser into MongoDB, as far as
   *     that is configured
   */
  public static HistoryRetention of(PartitionPeriod period, Duration kept, Duration longestWay) {
    return new HistoryRetention(period, kept, longestWay.plus(MARGIN));
  }

  /** Whether History with that period can be kept that long. */
  public static boolean isPossible(PartitionPeriod period, Duration kept) {
    return kept.compareTo(period.longest()) >= 0 && kept.compareTo(LONGEST) <= 0;
  }

  /** What {@link #isPossible}, for a person. */
  public static String expected(PartitionPeriod period) {
    return "one period or more (%s: %s), and 36525 d or less"
        .formatted(
            period, period == PartitionPeriod.HOUR ? "1 h" : period.longest().toDays() + " d");
  }

  /** Whether records of that partition are not taken any more. */
  public boolean isExpired(HistoryPartition partition, Instant now) {
    return !partition.end().isAfter(now.minus(kept));
  }

  /** Whether nothing can be written to that partition any more, so that it can be dropped. */
  public boolean isDroppable(HistoryPartition partition, Instant now) {
    return isExpired(partition, now.minus(grace));
  }

  /**
   * The first moment whose partition is not expired.
   *
   * @param nowMillis milliseconds since 1970, as is the result
   */
  public long firstKept(long nowMillis) {
    return period.startOf(nowMillis - kept.toMillis());
  }
}
