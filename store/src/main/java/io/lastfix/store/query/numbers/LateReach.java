package io.lastfix.store.query.numbers;

import io.lastfix.store.counts.NumberKind;
import io.lastfix.store.query.TimeRange;
import io.lastfix.store.timeline.LateCount;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Which numbers a record changes that comes too late. A count has the record's own time. A device
 * is present for the absence after a record, which ends a flow in the next hour; a stay or trip
 * that the record is part of may have begun a day before.
 *
 * <p>With {@code analytics.absence} above an hour, and for stays of more than a day, it is more.
 *
 * @param before how long before the record's hour the first such number may be
 * @param after how long after the end of that hour the last one may be
 */
public record LateReach(Duration before, Duration after) {
  private static final Duration NONE = Duration.ZERO;
  private static final Duration HOUR = Duration.ofHours(1);
  private static final Duration DAY = Duration.ofDays(1);

  /** Returns the reach in that kind of numbers. */
  public static LateReach of(NumberKind kind) {
    return switch (kind) {
      case COUNTS -> new LateReach(NONE, NONE);
      case DENSITY, FLOWS -> new LateReach(HOUR, HOUR);
      case STAYS, TRIPS -> new LateReach(DAY, HOUR);
    };
  }

  /** Returns the time of the records that can change numbers of the range. */
  public TimeRange causesOf(TimeRange range) {
    return new TimeRange(
        TimeRange.earlier(hourOf(range.from()), after), TimeRange.later(range.to(), before));
  }

  /** Returns the time of the numbers that records of whole hours can change. */
  public TimeRange effectsOf(TimeRange hours) {
    return hours.extendedBy(before, after);
  }

  /**
   * Returns the whole hours whose records change no numbers outside of the range; empty if there
   * are none.
   */
  public Optional<TimeRange> hoursWithin(TimeRange range) {
    Instant first = TimeRange.later(range.from(), before);
    long from = -LateCount.hourOf(-first.toEpochMilli());
    long to = LateCount.hourOf(TimeRange.earlier(range.to(), after).toEpochMilli());
    return from < to
        ? Optional.of(new TimeRange(Instant.ofEpochMilli(from), Instant.ofEpochMilli(to)))
        : Optional.empty();
  }

  private static Instant hourOf(Instant instant) {
    Instant hour = Instant.ofEpochMilli(LateCount.hourOf(instant.toEpochMilli()));
    return hour.isBefore(TimeRange.ALL.from()) ? TimeRange.ALL.from() : hour;
  }
}
