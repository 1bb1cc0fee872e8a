package io.lastfix.store.query;

import java.time.Instant;

/**
 * A stretch of the records' own time.
 *
 * <p>Records carry whole milliseconds, so both bounds are rounded up to one: that changes nothing
 * about which records lie between them.
 *
 * @param from its first moment
 * @param to the first moment after it
 */
public record TimeRange(Instant from, Instant to) {
  private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");
  private static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999Z");

  /** As far as years of four digits go: every record there can be. */
  public static final TimeRange ALL = new TimeRange(FIRST, LAST);

  /**
   * Checks and rounds.
   *
   * @throws IllegalArgumentException if the first moment is not before the last, or one is not of a
   *     year from 0 to 9999
   */
  public TimeRange {
    from = roundedUp("from", from);
    to = roundedUp("to", to);
    if (!from.isBefore(to)) {
      throw new IllegalArgumentException(
          "from and to: expected a moment and a later one, found %s and %s".formatted(from, to));
    }
  }

  private static Instant roundedUp(String bound, Instant moment) {
    if (moment.isBefore(FIRST) || moment.isAfter(LAST)) {
      throw new IllegalArgumentException(
          "%s: expected a moment from %s to %s, found %s".formatted(bound, FIRST, LAST, moment));
    }
    Instant floor = Instant.ofEpochMilli(moment.toEpochMilli());
    return floor.equals(moment) ? floor : floor.plusMillis(1);
  }

  /** What of it is left to read from that moment on, with it. */
  TimeRange onwardFrom(long momentMillis, TimeOrder order) {
    Instant moment = Instant.ofEpochMilli(momentMillis);
    return switch (order) {
      case NEWEST_FIRST -> new TimeRange(from, moment.plusMillis(1));
      case OLDEST_FIRST -> new TimeRange(moment, to);
    };
  }
}
