package io.lastfix.cli.analytics;

import io.lastfix.store.counts.WindowCount;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ObjLongConsumer;

/**
 * The counts of one group as bars over time: one for each window from the first to the last, also
 * for those without a record, so that an outage is seen. Many windows share a bar.
 */
final class WindowBars {
  /** A screen and a half of lines. */
  private static final int MOST_IN_TERMINAL = 60;

  /** A picture has three pixels for each. */
  private static final int MOST_IN_PICTURE = 360;

  private final long firstMillis;
  private final long barMillis;
  private final List<Long> sums;

  private WindowBars(long firstMillis, long barMillis, List<Long> sums) {
    this.firstMillis = firstMillis;
    this.barMillis = barMillis;
    this.sums = sums;
  }

  /**
   * Bars of these counts.
   *
   * @param counts of one group, in the order of their windows
   * @param isTerminal whether the bars are lines of text
   */
  static WindowBars of(List<WindowCount> counts, boolean isTerminal) {
    if (counts.isEmpty()) {
      return new WindowBars(0, WindowCount.WINDOW_MILLIS, List.of());
    }
    long first = counts.get(0).windowMillis();
    long windows =
        (counts.get(counts.size() - 1).windowMillis() - first) / WindowCount.WINDOW_MILLIS + 1;
    int most = isTerminal ? MOST_IN_TERMINAL : MOST_IN_PICTURE;
    long bar = (windows + most - 1) / most * WindowCount.WINDOW_MILLIS;
    int bars = (int) ((windows * WindowCount.WINDOW_MILLIS + bar - 1) / bar);
    long[] sums = new long[bars];
    for (WindowCount count : counts) {
      sums[(int) ((count.windowMillis() - first) / bar)] += count.n();
    }
    List<Long> list = new ArrayList<>();
    for (long sum : sums) {
      list.add(sum);
    }
    return new WindowBars(first, bar, list);
  }

  /** Returns the length of a bar's time. */
  long seconds() {
    return barMillis / 1_000;
  }

  /** Hands each bar on: its begin and its sum. */
  void forEach(ObjLongConsumer<String> action) {
    for (int i = 0; i < sums.size(); i++) {
      action.accept(Instant.ofEpochMilli(firstMillis + i * barMillis).toString(), sums.get(i));
    }
  }
}
