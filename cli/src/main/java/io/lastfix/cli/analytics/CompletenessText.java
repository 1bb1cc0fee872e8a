package io.lastfix.cli.analytics;

import io.lastfix.kit.text.TimeText;
import io.lastfix.store.query.numbers.Completeness;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** How late and how complete numbers are, in words. */
final class CompletenessText {
  private static final int DAYS_OF_YEAR = 365;

  private CompletenessText() {}

  /**
   * One line.
   *
   * @param noun of one number
   */
  static String line(Completeness numbers, String noun, Instant now) {
    return String.format(
        Locale.ROOT,
        "%s: %,d open, %,d closed, %,d from History (batch)%s",
        counted(numbers.results(), noun),
        numbers.open(),
        numbers.closed(),
        numbers.batch(),
        numbers
            .newest()
            .map(newest -> "; the newest is of %s%s".formatted(newest, age(newest, now)))
            .orElse(""));
  }

  /**
   * A line about numbers of groups that are too small.
   *
   * @param minimumGroup of the configuration; that of the job which computed them may be another
   */
  static String withheld(Completeness numbers, String noun, int minimumGroup) {
    return "%s of %s withheld and not shown: of fewer devices than analytics.minimum-group, which is %d in this configuration. docs/operate/analytics.md says how to change it"
        .formatted(
            numbers.withheld() == numbers.results()
                ? "All"
                : String.format(Locale.ROOT, "%,d", numbers.withheld()),
            counted(numbers.results(), noun) + (numbers.withheld() == 1 ? " is" : " are"),
            minimumGroup);
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
    if (instant.isAfter(now)) {
      return ", in the future";
    }
    // Of a replay of old records the date says more.
    return Duration.between(instant, now).toDays() < DAYS_OF_YEAR
        ? ", " + TimeText.ago(instant, now)
        : "";
  }
}
