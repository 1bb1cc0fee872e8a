package io.lastfix.store.query;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;

/**
 * A range of the records' own timestamps.
 *
 * <p>Records have whole milliseconds, so both bounds are rounded up to the next millisecond. This
 * does not change which records are in the range.
 *
 * @param from its first instant
 * @param to the first instant after it
 */
public record TimeRange(Instant from, Instant to) implements Serializable {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** All years of four digits: every possible record. */
  public static final TimeRange ALL = new TimeRange(FIRST, LAST);

  /**
   * Checks and rounds.
   *
   * @throws IllegalArgumentException if {@code from} is not before {@code to}, or a bound is
   *     outside the years 0 to 9999
   */
  public TimeRange {
    from = roundedUp("from", from);
    to = roundedUp("to", to);
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "from and to: expected a time and a later one, found %s and %s".formatted(from, to));
    }
  }

  private static Instant roundedUp(String bound, Instant instant) {
    if (instant.isBefore(FIRST) || instant.isAfter(LAST)) {
      throw new IllegalArgumentException(
          "%s: expected a time from %s to %s, found %s".formatted(bound, FIRST, LAST, instant));
    }
    Instant floor = Instant.ofEpochMilli(instant.toEpochMilli());
    return floor.equals(instant) ? floor : floor.plusMillis(1);
  }

  /** Returns the range with more time before and after it, within {@link #ALL}. */
  public TimeRange extendedBy(Duration before, Duration after) {
    return new TimeRange(earlier(from, before), later(to, after));
  }

  /** Returns an instant earlier by that, or the first of {@link #ALL}. */
  public static Instant earlier(Instant instant, Duration by) {
    return instant.isBefore(FIRST.plus(by)) ? FIRST : instant.minus(by);
  }

  /** Returns an instant later by that, or the end of {@link #ALL}. */
  public static Instant later(Instant instant, Duration by) {
    return instant.isAfter(LAST.minus(by)) ? LAST : instant.plus(by);
  }

  /** Returns the rest of the range from that instant on, including it. */
  TimeRange onwardFrom(long timestampMillis, TimeOrder order) {
    Instant instant = Instant.ofEpochMilli(timestampMillis);
    return switch (order) {
      case NEWEST_FIRST -> new TimeRange(from, instant.plusMillis(1));
      case OLDEST_FIRST -> new TimeRange(instant, to);
    };
  }
}
