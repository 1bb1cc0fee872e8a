package io.lastfix.audit.tree;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.temporal.ChronoField;
import java.time.temporal.TemporalAccessor;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Reads a timestamp in a profile's format with java.time alone. */
final class TimestampReader {
  private static final DateTimeFormatter ISO_8601 =
      new DateTimeFormatterBuilder()
          .parseCaseInsensitive()
          .appendPattern("uuuu-MM-dd'T'HH:mm[:ss")
          .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
          .appendPattern("][XXX][XX][X]")
          .toFormatter(Locale.ROOT);
  private static final DateTimeFormatter OFFSET =
      DateTimeFormatter.ofPattern("[XXX][XX][X]", Locale.ROOT);

  private static final BigDecimal MIN_MILLIS = new BigDecimal("100000000000");

  private final String format;
  private final boolean takesOffset;
  private final @Nullable DateTimeFormatter pattern;

  /**
   * @param format as a profile names it
   * @param takesOffset whether the offset from UTC may be in a separate field
   */
  TimestampReader(String format, boolean takesOffset) {
    this.format = format;
    this.takesOffset = takesOffset;
    this.pattern =
        switch (format) {
          case "epoch-millis", "epoch-seconds" -> null;
          case "auto", "any", "iso8601" -> ISO_8601;
          default -> DateTimeFormatter.ofPattern(format, Locale.ENGLISH);
        };
  }

  /**
   * Milliseconds since 1970-01-01T00:00:00Z; finer parts are truncated.
   *
   * @param offset the content of the offset's field; null if it is absent
   */
  long read(String text, @Nullable String offset) throws UnreadableException {
    try {
      boolean isNumber = text.matches("-?0*\\d{1,18}(\\.\\d{1,9})?");
      if (pattern == null && !isNumber) {
        throw new UnreadableException("timestamp: expected " + format);
      }
      if (isNumber && (pattern == null || format.equals("auto") || format.equals("any"))) {
        return millis(new BigDecimal(text));
      }
      if (format.equals("any") && text.matches("[0-9-]{10} .*")) {
        String withT = text.substring(0, 10) + "T" + text.substring(11);
        return moment(pattern.parse(withT), offset == null ? "Z" : offset).toEpochMilli();
      }
      return moment(pattern.parse(text), offset).toEpochMilli();
    } catch (DateTimeException | ArithmeticException | NumberFormatException e) {
      throw new UnreadableException("timestamp: expected " + format, e);
    }
  }

  /** A number of any unit is one of seconds, unless these were of the year 5138 or later. */
  private long millis(BigDecimal number) {
    boolean areSeconds =
        format.equals("epoch-seconds")
            || (format.equals("any") && number.abs().compareTo(MIN_MILLIS) < 0);
    return number
        .movePointRight(areSeconds ? 3 : 0)
        .setScale(0, RoundingMode.FLOOR)
        .longValueExact();
  }

  private Instant moment(TemporalAccessor parsed, @Nullable String offset)
      throws UnreadableException {
    if (parsed.isSupported(ChronoField.INSTANT_SECONDS)) {
      return Instant.from(parsed);
    }
    LocalDateTime local = LocalDateTime.from(parsed);
    if (parsed.isSupported(ChronoField.OFFSET_SECONDS)) {
      return local.toInstant(ZoneOffset.from(parsed));
    }
    if (pattern == ISO_8601 && !takesOffset && offset == null) {
      throw new UnreadableException("timestamp: expected an offset from UTC");
    }
    return local.toInstant(offset == null ? ZoneOffset.UTC : offset(offset));
  }

  private static ZoneOffset offset(String text) {
    boolean hasSign = text.matches("[+-].*") || text.equalsIgnoreCase("Z");
    return ZoneOffset.from(OFFSET.parse(hasSign ? text.toUpperCase(Locale.ROOT) : "+" + text));
  }
}
