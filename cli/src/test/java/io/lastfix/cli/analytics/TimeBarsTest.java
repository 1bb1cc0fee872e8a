package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.plot.BarPlot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimeBarsTest {
  private static final long NOON = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();
  private static final long WINDOW = 10_000;
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private static List<String> lines(TimeBars bars) {
    BarPlot plot = new BarPlot("", "from", "n");
    bars.addTo(plot);
    return plot.toText(40, true)
        .lines()
        .skip(1)
        .map(line -> line.replaceAll(" *#*$", "").replaceAll(" {2,}", " "))
        .toList();
  }

  @Test
  void aWindowWithoutRecordsHasABarOfLengthZero() {
    TimeBars bars = TimeBars.ofSums(NOON, NOON + 4 * WINDOW, WINDOW, false);
    bars.add(NOON, 5);
    bars.add(NOON + 3 * WINDOW, 7);

    assertThat(bars.length()).isEqualTo("10 s");
    assertThat(lines(bars)).containsExactly("12:00:00 5", "12:00:10 0", "12:00:20 0", "12:00:30 7");
  }

  @Test
  void manyWindowsShareBarsAndNoRecordIsLeftOut() {
    TimeBars bars = TimeBars.ofSums(NOON, NOON + 361 * WINDOW, WINDOW, false);
    for (int i = 0; i < 361; i++) {
      bars.add(NOON + i * WINDOW, i);
    }

    assertThat(bars.length()).isEqualTo("2 min");
    List<String> lines = lines(bars);
    assertThat(lines).hasSize(31).startsWith("12:00 66").endsWith("13:00 360");
    assertThat(
            lines.stream()
                .mapToLong(line -> Long.parseLong(line.split(" ", -1)[1].replace(",", "")))
                .sum())
        .isEqualTo(360 * 361 / 2);
    assertThat(TimeBars.ofSums(NOON, NOON + 361 * WINDOW, WINDOW, true).length()).isEqualTo("20 s");
  }

  @Test
  void aRangeBeginsWithTheUnitThatContainsItsBegin() {
    TimeBars bars = TimeBars.ofSums(NOON + 1, NOON + HOUR + 1, HOUR, false);

    assertThat(bars.length()).isEqualTo("hour");
    assertThat(bars.from()).isEqualTo(Instant.ofEpochMilli(NOON));
    assertThat(bars.to()).isEqualTo(Instant.ofEpochMilli(NOON + 2 * HOUR));
    assertThat(lines(bars)).containsExactly("12:00 0", "13:00 0");
  }

  @Test
  void barsBeginAtFullPartsOfADayAndTheRangeIsTheOneThatWasAskedFor() {
    long from = NOON + Duration.ofMinutes(7).toMillis();
    TimeBars bars = TimeBars.ofSums(from, from + 12 * HOUR, WINDOW, false);

    assertThat(bars.length()).isEqualTo("15 min");
    assertThat(lines(bars)).hasSize(49).startsWith("11-20 12:00 0").endsWith("11-21 00:00 0");
    assertThat(bars.from()).isEqualTo(Instant.ofEpochMilli(from));
    assertThat(bars.to()).isEqualTo(Instant.ofEpochMilli(from + 12 * HOUR));
    assertThat(TimeBars.ofSums(NOON, NOON + 24 * 100 * HOUR, 24 * HOUR, false).length())
        .isEqualTo("7 days");
  }

  @Test
  void theNamesHaveADateIfItIsNotTheSameForAll() {
    assertThat(lines(TimeBars.ofSums(NOON + 11 * HOUR, NOON + 13 * HOUR, HOUR, false)))
        .containsExactly("11-20 23:00 0", "11-21 00:00 0");
    TimeBars days = TimeBars.ofSums(NOON, NOON + 24 * HOUR, 24 * HOUR, false);
    assertThat(days.length()).isEqualTo("day");
    assertThat(lines(days)).containsExactly("2026-11-20 0", "2026-11-21 0");
  }

  @Test
  void aBarHasTheGreatestValueOfItsTimeAndNoneIfThereIsNone() {
    TimeBars bars = TimeBars.ofGreatest(NOON, NOON + 120 * WINDOW, WINDOW, false);
    assertThat(bars.length()).isEqualTo("20 s");
    // Within the second bar, and over the next two.
    bars.raise(NOON + 3 * WINDOW, NOON + 7 * WINDOW, 20);
    bars.raise(NOON + 7 * WINDOW, NOON + 8 * WINDOW, 25);

    assertThat(lines(bars).subList(0, 5))
        .containsExactly("12:00:00 -", "12:00:20 20", "12:00:40 20", "12:01:00 25", "12:01:20 -");
  }
}
