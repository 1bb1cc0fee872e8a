package io.lastfix.store.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a partition is expired, and when it may be dropped. */
class HistoryRetentionTest {
  private static final String PREFIX = "history";

  private static HistoryRetention kept(PartitionPeriod period, Duration kept) {
    return new HistoryRetention(period, kept, Duration.ofMinutes(16));
  }

  private static HistoryPartition partition(String name) {
    return HistoryPartition.parse(PREFIX, name).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({
    // The last day of a month, and the first instant after it.
    "MONTH, P31D, 2026-03-31T23:59:59.999Z, 2026-02-01T00:00:00Z",
    "MONTH, P31D, 2026-04-01T00:00:00.000Z, 2026-03-01T00:00:00Z",
    // February of a leap year has one day more.
    "MONTH, P31D, 2028-03-31T23:59:59.999Z, 2028-02-01T00:00:00Z",
    "MONTH, P60D, 2028-04-29T23:59:59.999Z, 2028-02-01T00:00:00Z",
    "MONTH, P60D, 2028-04-30T00:00:00.000Z, 2028-03-01T00:00:00Z",
    "DAY, P1D, 2028-03-01T00:00:00.000Z, 2028-02-29T00:00:00Z",
    "DAY, P1D, 2028-03-01T23:59:59.999Z, 2028-02-29T00:00:00Z",
    "DAY, P90D, 2026-11-20T12:00:00.000Z, 2026-08-22T00:00:00Z",
    "HOUR, PT1H, 2026-11-20T12:59:59.999Z, 2026-11-20T11:00:00Z",
    "HOUR, PT36H, 2027-01-01T00:00:00.000Z, 2026-12-30T12:00:00Z",
    "MONTH, P31D, 1970-01-31T00:00:00.000Z, 1969-12-01T00:00:00Z"
  })
  void theFirstMomentThatIsKeptBeginsAPeriod(
      PartitionPeriod period, Duration kept, Instant now, Instant first) {
    HistoryRetention retention = kept(period, kept);

    assertThat(retention.firstKept(now.toEpochMilli())).isEqualTo(first.toEpochMilli());
    HistoryPartition firstKept = partition(period.collectionName(PREFIX, first.toEpochMilli()));
    HistoryPartition lastExpired =
        partition(period.collectionName(PREFIX, first.toEpochMilli() - 1));
    assertThat(retention.isExpired(firstKept, now)).isFalse();
    assertThat(retention.isExpired(lastExpired, now)).isTrue();
  }

  @Test
  void aPartitionIsExpiredWhenItWasOverThatLongAgoAndDroppedAfterTheGrace() {
    HistoryRetention retention = kept(PartitionPeriod.DAY, Duration.ofDays(10));
    HistoryPartition leapDay = partition("history_2028_02_29");
    Instant expires = Instant.parse("2028-03-11T00:00:00Z");

    assertThat(retention.isExpired(leapDay, expires.minusMillis(1))).isFalse();
    assertThat(retention.isExpired(leapDay, expires)).isTrue();
    assertThat(retention.isDroppable(leapDay, expires.plus(Duration.ofMinutes(16)).minusMillis(1)))
        .isFalse();
    assertThat(retention.isDroppable(leapDay, expires.plus(Duration.ofMinutes(16)))).isTrue();
  }

  /** Records and clocks of 130 years, a clock that is adjusted, every period. */
  @Property(tries = 500)
  void aRecordIsRejectedIfAndOnlyIfItsPartitionIsExpired(
      @ForAll PartitionPeriod period,
      @ForAll @IntRange(min = 1, max = 40) int periods,
      @ForAll @LongRange(min = 0, max = 4_000_000_000_000L) long now,
      @ForAll List<@LongRange(min = -4_000_000_000L, max = 4_000_000_000L) Long> steps,
      @ForAll @LongRange(min = -1_000_000_000L, max = 1_000_000_000L) long aside) {
    HistoryRetention retention = kept(period, period.longest().multipliedBy(periods));
    RetentionBoundary boundary = new RetentionBoundary(retention);
    long clock = now;

    for (long step : steps) {
      clock += step;
      long atTheEdge = clock - retention.kept().toMillis() + aside;
      for (long ts :
          new long[] {atTheEdge, period.startOf(atTheEdge), period.startOf(atTheEdge) - 1}) {
        assertThat(boundary.isExpired(ts, clock))
            .isEqualTo(
                retention.isExpired(
                    partition(period.collectionName(PREFIX, ts)), Instant.ofEpochMilli(clock)));
      }
    }
  }

  @Property
  void aPeriodBeginsAndEndsWhereItsPartitionDoes(
      @ForAll PartitionPeriod period,
      @ForAll @LongRange(min = -3_000_000_000_000L, max = 3_000_000_000_000L) long moment) {
    HistoryPartition partition = partition(period.collectionName(PREFIX, moment));

    assertThat(period.startOf(moment)).isEqualTo(partition.start().toEpochMilli());
    assertThat(period.endOf(moment)).isEqualTo(partition.end().toEpochMilli());
  }

  @ParameterizedTest
  @CsvSource({
    "MONTH, P30D",
    "DAY, PT23H59M",
    "HOUR, PT59M",
    "HOUR, PT0S",
    "DAY, P-90D",
    "DAY, P36526D"
  })
  void lessThanAPeriodOrMoreThanAHundredYearsIsRefused(PartitionPeriod period, Duration kept) {
    assertThatThrownBy(() -> kept(period, kept))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("kept: expected one period or more (" + period);
  }

  @Test
  void theGraceIsTheLongestWayAndTenMinutes() {
    assertThat(
            HistoryRetention.of(PartitionPeriod.MONTH, Duration.ofDays(90), Duration.ofMinutes(6))
                .grace())
        .isEqualTo(Duration.ofMinutes(16));
  }
}
