package io.lastfix.cli.partitions;

import io.lastfix.kit.config.Quantity;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.time.temporal.TemporalAmount;
import java.util.Locale;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * An age: {@code P90D}, {@code P3M} or {@code PT36H} of ISO 8601, or a number with a unit as in the
 * configuration ({@code 90d}, {@code 36 h}).
 *
 * @param amount positive; months and years are those of the calendar, in UTC
 */
record Age(TemporalAmount amount) {
  private static final String EXPECTED =
      "expected a time more than 0, such as P90D, P3M, PT36H, 90d or 36h; found '%s'";

  /** The instant that is this age before {@code now}. */
  Instant before(Instant now) {
    return now.atZone(ZoneOffset.UTC).minus(amount).toInstant();
  }

  /** Parses an age. */
  static final class Converter implements ITypeConverter<Age> {
    @Override
    public Age convert(String text) {
      try {
        Age age = new Age(amount(text));
        if (age.before(Instant.EPOCH).isBefore(Instant.EPOCH)) {
          return age;
        }
      } catch (DateTimeException | IllegalArgumentException | ArithmeticException e) {
        // The same answer as for no time at all.
      }
      throw new TypeConversionException(EXPECTED.formatted(text));
    }

    private static TemporalAmount amount(String text) {
      String upper = text.toUpperCase(Locale.ROOT);
      if (!upper.startsWith("P")) {
        return Quantity.duration(text, "a time with its unit");
      }
      return upper.contains("T") ? Duration.parse(text) : Period.parse(text);
    }
  }
}
