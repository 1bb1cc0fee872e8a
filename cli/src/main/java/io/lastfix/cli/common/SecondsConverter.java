package io.lastfix.cli.common;

import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A time limit in whole seconds, 1 to {@value #MAX}, of a command that waits for servers or jobs:
 * every option that is a {@link Duration} and names no other converter. Limits of single queries,
 * for instance {@code --time-limit}, are numbers that their commands check.
 */
public final class SecondsConverter implements ITypeConverter<Duration> {
  private static final int MAX = 1_000_000;

  @Override
  public Duration convert(String text) {
    try {
      int seconds = Integer.parseInt(text);
      if (seconds >= 1 && seconds <= MAX) {
        return Duration.ofSeconds(seconds);
      }
    } catch (NumberFormatException e) {
      // The same answer as for a number out of range.
    }
    throw new TypeConversionException(
        "expected a number of seconds from 1 to %d, found '%s'".formatted(MAX, text));
  }
}
