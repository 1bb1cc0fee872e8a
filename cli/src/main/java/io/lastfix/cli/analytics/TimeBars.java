package io.lastfix.cli.analytics;

import io.lastfix.cli.plot.BarPlot;
import io.lastfix.kit.text.TimeText;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Bars of one length over a time, also for times without a number, so that an outage is seen. Many
 * units of time, such as windows, share a bar.
 */
final class TimeBars {
  /** A screen and a half of lines. */
  private static final int MOST_IN_TERMINAL = 60;

  /** A picture has three pixels for each. */
  private static final int MOST_IN_PICTURE = 360;

  /** A greatest value that is not known. */
  static final long UNKNOWN = -1;

  private static final long DAY = Duration.ofDays(1).toMillis();
  private static final long MINUTE = Duration.ofMinutes(1).toMillis();

  /** One of a unit, by its milliseconds. */
  private static final Map<Long, String> UNITS =
      Map.of(MINUTE, "minute", 60 * MINUTE, "hour", DAY, "day");

  /**
   * What a reader divides a day into, in seconds: some seconds, 1 to 30 minutes, 1 to 12 hours, a
   * day. A bar of several days has whole weeks.
   */
  private static final long[] LENGTHS = {
    10, 20, 30, 60, 120, 300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400
  };

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
   * Bars of sums, or of greatest values.
   *
   * @param fromMillis the first unit of time is the one that contains it
   * @param toMillis the last unit is the one before it; at least one
   * @param unitMillis length of a unit, aligned to 1970
   * @param isPicture whether there is room for many
   * @param value of each so far: 0 of a sum, and {@link #UNKNOWN} of a greatest value
   */
  static TimeBars of(
      long fromMillis, long toMillis, long unitMillis, boolean isPicture, long value) {
    long from = Math.floorDiv(fromMillis, unitMillis) * unitMillis;
    long to = Math.max(from + unitMillis, -Math.floorDiv(-toMillis, unitMillis) * unitMillis);
    int most = isPicture ? MOST_IN_PICTURE : MOST_IN_TERMINAL;
    long length =
        LongStream.of(LENGTHS)
            .map(TimeUnit.SECONDS::toMillis)
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

  /**
   * Returns the bars as a plot. Its title has the length of a bar's time, such as {@code 10 s} or
   * {@code hour}, and the time from the first unit to the end of the last one. The bars' names have
   * no date if that is the same for all.
   *
   * @param title before the length
   * @param about behind the time
   */
  BarPlot plot(String title, String about, String xTitle, String yTitle) {
    BarPlot plot =
        new BarPlot(
            "%s %s, %s to %s%s"
                .formatted(
                    title,
                    UNITS.getOrDefault(barMillis, TimeText.span(Duration.ofMillis(barMillis))),
                    Instant.ofEpochMilli(fromMillis),
                    Instant.ofEpochMilli(toMillis),
                    about),
            xTitle,
            yTitle);
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
    return plot;
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
