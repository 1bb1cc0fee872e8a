package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class TimeBarsTest {
  private static final long NOON = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final long WINDOW = 10_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  /** The length of a bar's time, and the whole time. */
  private static String title(TimeBars bars) {
    return text(bars).findFirst().orElseThrow().replaceFirst("^from +n +per ", "");
  }

  private static List<String> lines(TimeBars bars) {
    return text(bars)
        .skip(1)
        .map(line -> line.replaceAll(" *#*$", "").replaceAll(" {2,}", " "))
        .toList();
  }

  private static Stream<String> text(TimeBars bars) {
    return bars.plot("per", "", "from", "n").toText(40, true).lines();
  }

  @Test
  void aWindowWithoutRecordsHasABarOfLengthZero() {
    TimeBars bars = TimeBars.of(NOON, NOON + 4 * WINDOW, WINDOW, false, 0);
    bars.add(NOON, 5);
    bars.add(NOON + 3 * WINDOW, 7);

    assertThat(title(bars)).isEqualTo("10 s, 2026-11-20T12:00:00Z to 2026-11-20T12:00:40Z");
    assertThat(lines(bars)).containsExactly("12:00:00 5", "12:00:10 0", "12:00:20 0", "12:00:30 7");
  }

  @Test
  void manyWindowsShareBarsAndNoRecordIsLeftOut() {
    TimeBars bars = TimeBars.of(NOON, NOON + 361 * WINDOW, WINDOW, false, 0);
    for (int i = 0; i < 361; i++) {
      bars.add(NOON + i * WINDOW, i);
    }

    assertThat(title(bars)).startsWith("2 min, ");
    List<String> lines = lines(bars);
    assertThat(lines).hasSize(31).startsWith("12:00 66").endsWith("13:00 360");
    assertThat(
            lines.stream()
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1].replace(",", "")))
                .sum())
        .isEqualTo(360 * 361 / 2);
    assertThat(title(TimeBars.of(NOON, NOON + 361 * WINDOW, WINDOW, true, 0))).startsWith("20 s, ");
  }

  @Test
  void aRangeBeginsWithTheUnitThatContainsItsBegin() {
    TimeBars bars = TimeBars.of(NOON + 1, NOON + HOUR + 1, HOUR, false, 0);

    assertThat(title(bars)).isEqualTo("hour, 2026-11-20T12:00:00Z to 2026-11-20T14:00:00Z");
    assertThat(lines(bars)).containsExactly("12:00 0", "13:00 0");
  }

  @Test
  void barsBeginAtFullPartsOfADayAndTheRangeIsTheOneThatWasAskedFor() {
    long from = NOON + Duration.ofMinutes(7).toMillis();
    TimeBars bars = TimeBars.of(from, from + 12 * HOUR, WINDOW, false, 0);

    assertThat(title(bars)).isEqualTo("15 min, 2026-11-20T12:07:00Z to 2026-11-21T00:07:00Z");
    assertThat(lines(bars)).hasSize(49).startsWith("11-20 12:00 0").endsWith("11-21 00:00 0");
    assertThat(title(TimeBars.of(NOON, NOON + 24 * 100 * HOUR, 24 * HOUR, false, 0)))
        .startsWith("7 days, ");
  }

  @Test
  void theNamesHaveADateIfItIsNotTheSameForAll() {
    assertThat(lines(TimeBars.of(NOON + 11 * HOUR, NOON + 13 * HOUR, HOUR, false, 0)))
        .containsExactly("11-20 23:00 0", "11-21 00:00 0");
    TimeBars days = TimeBars.of(NOON, NOON + 24 * HOUR, 24 * HOUR, false, 0);
    assertThat(title(days)).startsWith("day, ");
    assertThat(lines(days)).containsExactly("2026-11-20 0", "2026-11-21 0");
  }

  @Test
  void aBarHasTheGreatestValueOfItsTimeAndNoneIfThereIsNone() {
    TimeBars bars = TimeBars.of(NOON, NOON + 120 * WINDOW, WINDOW, false, TimeBars.UNKNOWN);
    assertThat(title(bars)).startsWith("20 s, ");
    // Within the second bar, and over the next two.
    bars.raise(NOON + 3 * WINDOW, NOON + 7 * WINDOW, 20);
    bars.raise(NOON + 7 * WINDOW, NOON + 8 * WINDOW, 25);

    assertThat(lines(bars).subList(0, 5))
        .containsExactly("12:00:00 -", "12:00:20 20", "12:00:40 20", "12:01:00 25", "12:01:20 -");
  }
}
