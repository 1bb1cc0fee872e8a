package io.lastfix.sink;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;

/**
 * How much time one collection of History holds. All periods are of UTC and are decided by the
 * record's own timestamp.
 */
public enum PartitionPeriod {
  /** {@code history_2026_11}. */
  MONTH("uuuu_MM", 24 * 3_600_000L),
  /** {@code history_2026_11_20}. */
  DAY("uuuu_MM_dd", 24 * 3_600_000L),
  /** {@code history_2026_11_20_13}. */
  HOUR("uuuu_MM_dd_HH", 3_600_000L);

  private final DateTimeFormatter format;
  private final long unitMillis;

  PartitionPeriod(String pattern, long unitMillis) {
    this.format = DateTimeFormatter.ofPattern(pattern, Locale.ROOT).withZone(ZoneOffset.UTC);
    this.unitMillis = unitMillis;
  }

  /**
   * The name of the collection that holds that moment.
   *
   * @param prefix what the name begins with, for example {@code history}
   * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionName(String prefix, long timestampMillis) {
    return prefix + '_' + format.format(Instant.ofEpochMilli(timestampMillis));
  }

  /** The number of a stretch of time that lies wholly in one period. */
  long unitOf(long timestampMillis) {
    return Math.floorDiv(timestampMillis, unitMillis);
  }
}
