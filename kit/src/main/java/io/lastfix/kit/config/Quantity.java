package io.lastfix.kit.config;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations and sizes as texts, each with its unit: {@code 5 min}, {@code 16 mb}. */
public final class Quantity {
  private static final Pattern FORM = Pattern.compile("(\\d{1,18})\\s*([a-z]+)");
  private static final Map<String, Long> MILLIS =
      Map.of("ms", 1L, "s", 1_000L, "min", 60_000L, "h", 3_600_000L, "d", 86_400_000L);
  private static final Map<String, Long> BYTES =
      Map.of("b", 1L, "kb", 1L << 10, "mb", 1L << 20, "gb", 1L << 30, "tb", 1L << 40);

  private Quantity() {}

  /**
   * Reads a duration of zero or more in ms, s, min, h or d.
   *
   * @param expected what the failure's message says was expected
   * @throws IllegalArgumentException if it is none
   */
  public static Duration duration(String text, String expected) {
    return Duration.ofMillis(parse(text, MILLIS, expected));
  }

  /**
   * Reads a size of zero or more in b, kb, mb, gb or tb, and returns its bytes.
   *
   * @param expected what the failure's message says was expected
   * @throws IllegalArgumentException if it is none
   */
  public static long bytes(String text, String expected) {
    return parse(text, BYTES, expected);
  }

  private static long parse(String text, Map<String, Long> units, String expected) {
    Matcher matcher = FORM.matcher(text.toLowerCase(Locale.ROOT));
    Long unit = matcher.matches() ? units.get(matcher.group(2)) : null;
    if (unit == null || Long.parseLong(matcher.group(1)) > Long.MAX_VALUE / unit) {
      throw Key.expected(expected);
    }
    return Long.parseLong(matcher.group(1)) * unit;
  }
}
