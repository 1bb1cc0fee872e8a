package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.kit.text.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Bars of one length over a time, also for times without a number, so that an outage is seen. Many
 * units of time, such as windows, share a bar.
 */
final class TimeBars {
  /** A screen and a half of lines. */
  private static final int MOST_IN_TERMINAL = 60;

  /** A picture has three pixels for each. */
  private static final int MOST_IN_PICTURE = 360;

  private static final long UNKNOWN = -1;
  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /** One of a unit, by its milliseconds. */
  private static final Map<Long, String> UNITS =
      Map.of(MINUTE, "minute", 60 * MINUTE, "hour", DAY, "day");

  /** What a reader divides a day into; a bar of several days has whole weeks. */
  private static final List<Duration> LENGTHS =
      List.of(
          Duration.ofSeconds(10),
          Duration.ofSeconds(20),
          Duration.ofSeconds(30),
          Duration.ofMinutes(1),
          Duration.ofMinutes(2),
          Duration.ofMinutes(5),
          Duration.ofMinutes(10),
          Duration.ofMinutes(15),
          Duration.ofMinutes(30),
          Duration.ofHours(1),
          Duration.ofHours(2),
          Duration.ofHours(3),
          Duration.ofHours(6),
          Duration.ofHours(12),
          Duration.ofDays(1));

  private static final long WEEK = Duration.ofDays(7).toMillis();

  private final long fromMillis;
  private final long toMillis;
  private final long firstMillis;
  private final long barMillis;
  private final long[] values;

  private TimeBars(long fromMillis, long toMillis, long barMillis, long value) {
    this.fromMillis = fromMillis;
    this.toMillis = toMillis;
    this.barMillis = barMillis;
    firstMillis = Math.floorDiv(fromMillis, barMillis) * barMillis;
    values = new long[(int) bars(fromMillis, toMillis, barMillis)];
    Arrays.fill(values, value);
  }

  /**
   * Bars of sums, which are 0 so far.
   *
   * @param fromMillis the first unit of time is the one that contains it
   * @param toMillis the last unit is the one before it; at least one
   * @param unitMillis length of a unit, aligned to 1970
   * @param isPicture whether there is room for many
   */
  static TimeBars ofSums(long fromMillis, long toMillis, long unitMillis, boolean isPicture) {
    return of(fromMillis, toMillis, unitMillis, isPicture, 0);
  }

  /** Bars of greatest values, which are not known so far; the parameters are the same. */
  static TimeBars ofGreatest(long fromMillis, long toMillis, long unitMillis, boolean isPicture) {
    return of(fromMillis, toMillis, unitMillis, isPicture, UNKNOWN);
  }

  private static TimeBars of(
      long fromMillis, long toMillis, long unitMillis, boolean isPicture, long value) {
    long from = Math.floorDiv(fromMillis, unitMillis) * unitMillis;
    long to = Math.max(from + unitMillis, -Math.floorDiv(-toMillis, unitMillis) * unitMillis);
    int most = isPicture ? MOST_IN_PICTURE : MOST_IN_TERMINAL;
    long length =
        LENGTHS.stream()
            .mapToLong(Duration::toMillis)
            .filter(it -> it % unitMillis == 0 && bars(from, to, it) <= most)
            .findFirst()
            .orElseGet(() -> weeks(from, to, most));
    return new TimeBars(from, to, length, value);
  }

  private static long weeks(long fromMillis, long toMillis, int most) {
    long length = WEEK;
    while (bars(fromMillis, toMillis, length) > most) {
      length += WEEK;
    }
    return length;
  }

  private static long bars(long fromMillis, long toMillis, long barMillis) {
    return -Math.floorDiv(-toMillis, barMillis) - Math.floorDiv(fromMillis, barMillis);
  }

  /** Adds to the sum of the bar that contains an instant. */
  void add(long millis, long number) {
    values[(int) ((millis - firstMillis) / barMillis)] += number;
  }

  /** Raises all bars that contain a part of {@code [fromMillis, toMillis)} to a value. */
  void raise(long fromMillis, long toMillis, long value) {
    int first = (int) Math.max(0, (fromMillis - firstMillis) / barMillis);
    for (int i = first; i < values.length && firstMillis + i * barMillis < toMillis; i++) {
      values[i] = Math.max(values[i], value);
    }
  }

  /** Returns the length of a bar's time, such as {@code 10 s} or {@code hour}. */
  String length() {
    return UNITS.getOrDefault(barMillis, TimeText.span(Duration.ofMillis(barMillis)));
  }

  /** Returns the begin of the first unit, which the first bar contains. */
  Instant from() {
    return Instant.ofEpochMilli(fromMillis);
  }

  /** Returns the end of the last unit; the last bar's may be later. */
  Instant to() {
    return Instant.ofEpochMilli(toMillis);
  }

  /** Adds the bars to a plot. Their names have no date if that is the same for all. */
  void addTo(BarPlot plot) {
    DateTimeFormatter format =
        DateTimeFormatter.ofPattern(pattern(), Locale.ROOT).withZone(ZoneOffset.UTC);
    for (int i = 0; i < values.length; i++) {
      String name = format.format(Instant.ofEpochMilli(firstMillis + i * barMillis));
      if (values[i] == UNKNOWN) {
        plot.addUnknown(name);
      } else {
        plot.add(name, values[i]);
      }
    }
  }

  private String pattern() {
    if (barMillis % DAY == 0) {
      return "yyyy-MM-dd";
    }
    String time = barMillis % MINUTE == 0 && firstMillis % MINUTE == 0 ? "HH:mm" : "HH:mm:ss";
    long lastMillis = firstMillis + (values.length - 1) * barMillis;
    return Math.floorDiv(firstMillis, DAY) == Math.floorDiv(lastMillis, DAY)
        ? time
        : "MM-dd " + time;
  }
}
