package io.lastfix.store.history;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * The length of time of one collection of History. Periods are in UTC; the record's own timestamp
 * selects the period.
 */
public enum PartitionPeriod {
  /** {@code history_2026_11}. */
  MONTH("uuuu_MM", PartitionPeriod.DAY_MILLIS, Duration.ofDays(31)),
  /** {@code history_2026_11_20}. */
  DAY("uuuu_MM_dd", PartitionPeriod.DAY_MILLIS, Duration.ofDays(1)),
  /** {@code history_2026_11_20_13}. */
  HOUR("uuuu_MM_dd_HH", 3_600_000L, Duration.ofHours(1));

  private static final long DAY_MILLIS = 24 * 3_600_000L;

  private final DateTimeFormatter format;
  private final long unitMillis;
  private final Duration longest;

  PartitionPeriod(String pattern, long unitMillis, Duration longest) {
    this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    this.unitMillis = unitMillis;
    this.longest = longest;
  }

  /**
   * Returns the name of the collection for that timestamp.
   *
   * @param prefix prefix of the name, for example {@code history}
   * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionName(String prefix, long timestampMillis) {
    return prefix + '_' + format.format(Instant.ofEpochMilli(timestampMillis));
  }

  /** Returns the longest possible length: a month may have 31 days. */
  public Duration longest() {
    return longest;
  }

  /**
   * Returns the first instant of the period that contains the timestamp; both in milliseconds since
   * 1970.
   */
  public long startOf(long timestampMillis) {
    return this == MONTH
        ? firstOfMonth(timestampMillis).toEpochDay() * DAY_MILLIS
        : unitOf(timestampMillis) * unitMillis;
  }

  /**
   * Returns the first instant after the period that contains the timestamp; both in milliseconds
   * since 1970.
   */
  public long endOf(long timestampMillis) {
    return this == MONTH
        ? firstOfMonth(timestampMillis).plusMonths(1).toEpochDay() * DAY_MILLIS
        : (unitOf(timestampMillis) + 1) * unitMillis;
  }

  private static LocalDate firstOfMonth(long timestampMillis) {
    return LocalDate.ofEpochDay(Math.floorDiv(timestampMillis, DAY_MILLIS)).withDayOfMonth(1);
  }

  /** Returns the number of a time span that lies wholly in one period. */
  long unitOf(long timestampMillis) {
    return Math.floorDiv(timestampMillis, unitMillis);
  }
}
