package io.lastfix.cli.analytics;

import io.lastfix.store.query.Completeness;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How late and how complete numbers are, in words. */
final class CompletenessText {
  private static final int FEW = 120;
  private static final int FEW_HOURS = 48;

  private CompletenessText() {}

  /**
   * One line.
   *
   * @param noun of one number
   * @param canBeWithheld whether small groups have no number
   */
  static String line(Completeness numbers, String noun, boolean canBeWithheld, Instant now) {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT,
                "%s: %,d open, %,d closed, %,d from History (batch)",
                counted(numbers.results(), noun),
                numbers.open(),
                numbers.closed(),
                numbers.batch()));
    if (canBeWithheld) {
      line.append(
          String.format(
              Locale.ROOT,
              "; %,d withheld (fewer devices than analytics.minimum-group)",
              numbers.withheld()));
    }
    numbers
        .newest()
        .ifPresent(
            newest -> line.append("; the newest is of %s, %s".formatted(newest, age(newest, now))));
    return line.toString();
  }

  /** What a plot's title says of numbers that are not complete; empty if all are. */
  static String ofTitle(Completeness numbers) {
    return numbers.open() == 0
        ? ""
        : String.format(
            Locale.ROOT,
            " (incomplete: %,d of %s open)",
            numbers.open(),
            counted(numbers.results(), "number"));
  }

  static String counted(long number, String noun) {
    return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
  }

  private static String age(Instant instant, Instant now) {
    Duration age = Duration.between(instant, now);
    if (age.isNegative()) {
      return "in the future";
    }
    if (age.toSeconds() < FEW) {
      return age.toSeconds() + " s ago";
    }
    if (age.toMinutes() < FEW) {
      return age.toMinutes() + " min ago";
    }
    return age.toHours() < FEW_HOURS
        ? age.toHours() + " h ago"
        : String.format(Locale.ROOT, "%,d days ago", age.toDays());
  }
}
