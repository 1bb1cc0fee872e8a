package io.lastfix.kit.text;

import java.time.Duration;
import java.time.Instant;

/** Ages and spans in one unit, rounded down: the largest unit of which there are at least two. */
public final class TimeText {
  /** Of seconds or minutes: two of the next unit. */
  private static final int FEW = 120;

  private static final int FEW_HOURS = 48;

  private TimeText() {}

  /** Returns an age in whole seconds or longer units; 0 s if a clock is ahead of the other one. */
  public static String ago(Instant instant, Instant now) {
    long seconds = Math.max(0, Duration.between(instant, now).toSeconds());
    return span(Duration.ofSeconds(seconds)) + " ago";
  }

  /**
   * Returns a span: {@code 95 ms}, {@code 1.5 s}, {@code 63 s}, {@code 5 h} or {@code 3 days}. One
   * second is no longer milliseconds; seconds below ten have tenths, unless these are zero. A span
   * below zero, of a clock that was adjusted, is {@code 0 s}.
   */
  public static String span(Duration span) {
    long millis = Math.max(0, span.toMillis());
    if (millis < 1_000 && millis != 0) {
      return millis + " ms";
    }
    long seconds = millis / 1_000;
    if (seconds < FEW) {
      long tenths = seconds < 10 ? millis % 1_000 / 100 : 0;
      return seconds + (tenths == 0 ? "" : "." + tenths) + " s";
    }
    if (span.toMinutes() < FEW) {
      return span.toMinutes() + " min";
    }
    return span.toHours() < FEW_HOURS ? span.toHours() + " h" : span.toDays() + " days";
  }
}
