package io.lastfix.cli.common;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An instant, as every command accepts it: with a zone ({@code 2026-11-20T12:00:00Z}, {@code
 * 2026-11-20T13:00+01:00}); a day, which means its beginning in UTC; {@code now}; or a time ago
 * ({@code -90s}, {@code -30m}, {@code -2h}, {@code -7d}, where a day has 24 hours).
 *
 * @param clock for {@code now} and times ago
 */
public record InstantConverter(InstantSource clock) implements ITypeConverter<Instant> {
  private static final Pattern AGO = Pattern.compile("-(\\d{1,9}[smhd])");
  private static final int LENGTH_OF_DAY = "2026-11-20".length();

  @Override
  public Instant convert(String text) {
    if (text.equals("now")) {
      return clock.instant();
    }
    Matcher ago = AGO.matcher(text);
    try {
      if (ago.matches()) {
        String period = ago.group(1).endsWith("d") ? "P" : "PT";
        return clock.instant().minus(Duration.parse(period + ago.group(1)));
      }
      return text.length() == LENGTH_OF_DAY
          ? LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant()
          : OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException e) {
      throw new TypeConversionException(
          "expected a time such as 2026-11-20T12:00:00Z or 2026-11-20T12:00+01:00, a day such as 2026-11-20, an age such as -2h, -30m or -7d, or now; found '%s'"
              .formatted(text));
    }
  }
}
