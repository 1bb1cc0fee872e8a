package io.lastfix.expressions.generate;

import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/**
 * The local times of a time zone. It keeps the offset of one period without a transition, in which
 * an instant mostly is, and then computes hours without an object. It serves all threads.
 */
final class LocalTimes {
  private static final long MILLIS_PER_SECOND = 1_000;
  private static final long SECONDS_PER_MINUTE = 60;
  private static final long SECONDS_PER_HOUR = 3_600;
  private static final long SECONDS_PER_DAY = 86_400;
  private static final long DAYS_PER_WEEK = 7;

  /** Days are counted from a Thursday; CEL counts those of a week from Sunday, which is 0. */
  private static final long FIRST_DAY_OF_WEEK = 4;

  private final ZoneRules rules;

  /** Any thread may replace it; which of them is seen does not matter. */
  private Period period;

  /**
   * A period with one offset.
   *
   * @param from its first second
   * @param to the second after its last one
   */
  private record Period(long from, long to, long offset) {}

  LocalTimes(ZoneId zone) {
    rules = zone.getRules();
    period = period(0);
  }

  private Period period(long second) {
    Instant instant = Instant.ofEpochSecond(second);
    ZoneOffsetTransition before = rules.previousTransition(instant.plusSeconds(1));
    ZoneOffsetTransition after = rules.nextTransition(instant);
    return new Period(
        before == null ? Long.MIN_VALUE : before.toEpochSecond(),
        after == null ? Long.MAX_VALUE : after.toEpochSecond(),
        rules.getOffset(instant).getTotalSeconds());
  }

  /** Returns the second on the local clock, counted from 1970. */
  private long localSecond(long millis) {
    long second = Math.floorDiv(millis, MILLIS_PER_SECOND);
    Period current = period;
    if (second < current.from || second >= current.to) {
      current = period(second);
      period = current;
    }
    return second + current.offset;
  }

  private long localDay(long millis) {
    return Math.floorDiv(localSecond(millis), SECONDS_PER_DAY);
  }

  private LocalDate localDate(long millis) {
    return LocalDate.ofEpochDay(localDay(millis));
  }

  long year(long millis) {
    return localDate(millis).getYear();
  }

  /** Returns the month, from 0. */
  long month(long millis) {
    return localDate(millis).getMonthValue() - 1L;
  }

  /** Returns the day of the month, from 1. */
  long date(long millis) {
    return localDate(millis).getDayOfMonth();
  }

  /** Returns the day of the week, from 0, which is Sunday. */
  long dayOfWeek(long millis) {
    return Math.floorMod(localDay(millis) + FIRST_DAY_OF_WEEK, DAYS_PER_WEEK);
  }

  long hour(long millis) {
    return Math.floorMod(localSecond(millis), SECONDS_PER_DAY) / SECONDS_PER_HOUR;
  }

  long minute(long millis) {
    return Math.floorMod(localSecond(millis), SECONDS_PER_HOUR) / SECONDS_PER_MINUTE;
  }
}
