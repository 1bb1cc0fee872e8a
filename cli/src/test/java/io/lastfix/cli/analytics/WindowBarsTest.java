package io.lastfix.cli.analytics;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WindowBarsTest {
  private static final long NOON = Instant.parse("2026-11-20T12:00:00Z").toEpochMilli();

  private static WindowCount count(int window, long n) {
    return new WindowCount(
        NOON + window * WindowCount.WINDOW_MILLIS,
        CountBy.TOTAL,
        "all",
        n,
        WindowCount.State.CLOSED,
        1);
  }

  private static List<String> bars(WindowBars bars) {
    List<String> texts = new ArrayList<>();
    bars.forEach((from, n) -> texts.add(from + " " + n));
    return texts;
  }

  @Test
  void aWindowWithoutRecordsHasABarOfLengthZero() {
    WindowBars bars = WindowBars.of(List.of(count(0, 5), count(3, 7)), true);

    assertThat(bars.seconds()).isEqualTo(10);
    assertThat(bars(bars))
        .containsExactly(
            "2026-11-20T12:00:00Z 5",
            "2026-11-20T12:00:10Z 0",
            "2026-11-20T12:00:20Z 0",
            "2026-11-20T12:00:30Z 7");
  }

  @Test
  void manyWindowsShareBarsAndNoRecordIsLeftOut() {
    List<WindowCount> hour = IntStream.range(0, 361).mapToObj(i -> count(i, i)).toList();

    WindowBars bars = WindowBars.of(hour, true);

    assertThat(bars.seconds()).isEqualTo(70);
    assertThat(bars(bars)).hasSize(52);
    long[] all = new long[1];
    bars.forEach((from, n) -> all[0] += n);
    assertThat(all[0]).isEqualTo(360 * 361 / 2);
    assertThat(WindowBars.of(hour, false).seconds()).isEqualTo(20);
  }

  @Test
  void noCountsAreNoBars() {
    assertThat(bars(WindowBars.of(List.of(), true))).isEmpty();
  }
}
