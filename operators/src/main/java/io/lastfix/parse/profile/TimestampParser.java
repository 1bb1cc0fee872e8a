package io.lastfix.parse.profile;

import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.ResolverStyle;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;

/**
 * Parses a timestamp from characters. A profile may name these formats:
 *
 * <ul>
 *   <li>{@code iso8601}: {@code 2026-11-20T12:00:01.001Z}; seconds and their fraction (up to 9
 *       digits, truncated to milliseconds) are optional, the offset may be {@code Z}, {@code +HH},
 *       {@code +HHMM} or {@code +HH:MM}
 *   <li>{@code epoch-millis}: whole milliseconds since 1970-01-01T00:00:00Z
 *   <li>{@code epoch-seconds}: seconds since then, with an optional fraction
 *   <li>{@code auto}: {@code epoch-millis} if there are only digits, else {@code iso8601}
 *   <li>{@code any}: {@code epoch-seconds} or {@code epoch-millis} by size, else {@code iso8601};
 *       from 100,000,000,000 on (in seconds: the year 5138) a number is milliseconds; a blank may
 *       stand in place of the {@code T}, and the time is then in UTC if no offset is given
 *   <li>anything else: a pattern of {@link DateTimeFormatter}, with {@code uuuu} for the year
 *       ({@code yyyy} is accepted if the pattern consists of digits of a fixed width, such as
 *       {@code yyyyMMddHHmmss}); UTC if neither the text nor the profile gives an offset
 * </ul>
 */
@FunctionalInterface
public interface TimestampParser {
  /** The result if a text is not a timestamp; far below any valid timestamp. */
  long INVALID = Long.MIN_VALUE;

  /** The result if a text is not an offset; as a parameter: no offset is given. */
  int NO_OFFSET = Integer.MIN_VALUE;

  /**
   * Returns milliseconds since 1970-01-01T00:00:00Z, or {@link #INVALID}.
   *
   * @param text contains the timestamp from {@code from} to before {@code to}
   * @param offsetSeconds offset from UTC that applies if the text has none; {@link #NO_OFFSET}:
   *     none
   */
  long parse(char[] text, int from, int to, int offsetSeconds);

  /**
   * Returns the parser of a format.
   *
   * @throws IllegalArgumentException if the format is invalid; the message gives the reason
   */
  static TimestampParser of(String format) {
    return switch (format) {
      case "iso8601" -> Timestamps::iso8601;
      case "epoch-millis" -> (text, from, to, offset) -> Timestamps.epochMillis(text, from, to);
      case "epoch-seconds" -> (text, from, to, offset) -> Timestamps.epochSeconds(text, from, to);
      case "auto" ->
          (text, from, to, offset) -> {
            long millis = Timestamps.epochMillis(text, from, to);
            return millis == INVALID ? Timestamps.iso8601(text, from, to, offset) : millis;
          };
      case "any" -> Timestamps::any;
      default ->
          FixedWidthPattern.supports(format)
              ? new FixedWidthPattern(format)
              : new FormatterPattern(format);
    };
  }

  /** Any other pattern, parsed by java.time. It allocates objects; the formats above do not. */
  final class FormatterPattern implements TimestampParser {
    private static final OffsetDateTime SAMPLE =
        OffsetDateTime.of(2026, 11, 20, 13, 14, 15, 0, ZoneOffset.UTC);

    private final DateTimeFormatter formatter;

    FormatterPattern(String pattern) {
      try {
        formatter =
            DateTimeFormatter.ofPattern(pattern, Locale.ENGLISH)
                .withResolverStyle(ResolverStyle.STRICT);
        millis(formatter.parse(formatter.format(SAMPLE)), 0);
      } catch (IllegalArgumentException | DateTimeException e) {
        throw new IllegalArgumentException(
            "expected iso8601, epoch-millis, epoch-seconds, auto, any, or a java.time pattern that gives"
                + " a date with uuuu and a time; found '"
                + pattern
                + "' ("
                + e.getMessage()
                + ")",
            e);
      }
    }

    @Override
    public long parse(char[] text, int from, int to, int offsetSeconds) {
      try {
        int offset = offsetSeconds == NO_OFFSET ? 0 : offsetSeconds;
        return millis(formatter.parse(String.valueOf(text, from, to - from)), offset);
      } catch (DateTimeException | ArithmeticException e) {
        // Not swallowed: the caller rejects the record as a bad value. An ArithmeticException means
        // that the milliseconds of the year do not fit a long.
        return INVALID;
      }
    }

    private static long millis(TemporalAccessor parsed, int offsetSeconds) {
      if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
        return OffsetDateTime.from(parsed).toInstant().toEpochMilli();
      }
      int offset =
          parsed.isSupported(ChronoField.OFFSET_SECONDS)
              ? parsed.get(ChronoField.OFFSET_SECONDS)
              : offsetSeconds;
      return LocalDateTime.from(parsed).toInstant(ZoneOffset.ofTotalSeconds(offset)).toEpochMilli();
    }
  }

  /**
   * A pattern of digits of fixed width, such as {@code yyyyMMddHHmmss} or {@code dd.MM.yyyy
   * HH:mm:ss.SSS}. It has the fields below, each exactly once; seconds and fraction are optional.
   * Between them may be any characters but letters, quotes and brackets.
   */
  final class FixedWidthPattern implements TimestampParser {
    private final String pattern;

    FixedWidthPattern(String pattern) {
      this.pattern = pattern.replace('u', 'y');
    }

    static boolean supports(String format) {
      String pattern = format.replace('u', 'y');
      String rest = pattern;
      for (String field : new String[] {"yyyy", "MM", "dd", "HH", "mm"}) {
        if (!rest.contains(field)) {
          return false;
        }
        rest = rest.replaceFirst(field, "");
      }
      rest = rest.replaceFirst("ss", "").replaceFirst("S{1,9}", "");
      return rest.chars().noneMatch(c -> Character.isLetterOrDigit(c) || "'[]{}#".indexOf(c) >= 0)
          && (pattern.contains("ss") || !pattern.contains("S"));
    }

    @Override
    public long parse(char[] text, int from, int to, int offsetSeconds) {
      int length = pattern.length();
      if (to - from != length) {
        return INVALID;
      }
      int year = 0;
      int month = 0;
      int day = 0;
      int hour = 0;
      int minute = 0;
      int second = 0;
      int nanos = 0;
      int nanosOfDigit = 100_000_000;
      for (int i = 0; i < length; i++) {
        char field = pattern.charAt(i);
        int digit = text[from + i] - '0';
        boolean isDigit = digit >= 0 && digit <= 9;
        if (isDigit != isField(field)) {
          return INVALID;
        }
        switch (field) {
          case 'y' -> year = year * 10 + digit;
          case 'M' -> month = month * 10 + digit;
          case 'd' -> day = day * 10 + digit;
          case 'H' -> hour = hour * 10 + digit;
          case 'm' -> minute = minute * 10 + digit;
          case 's' -> second = second * 10 + digit;
          case 'S' -> {
            nanos += digit * nanosOfDigit;
            nanosOfDigit /= 10;
          }
          default -> {
            if (text[from + i] != field) {
              return INVALID;
            }
          }
        }
      }
      return Timestamps.millis(
          year,
          month,
          day,
          hour,
          minute,
          second,
          nanos / 1_000_000,
          offsetSeconds == NO_OFFSET ? 0 : offsetSeconds);
    }

    private static boolean isField(char c) {
      return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
  }
}
