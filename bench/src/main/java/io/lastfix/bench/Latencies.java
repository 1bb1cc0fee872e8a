package io.lastfix.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** How long many operations took, to three digits. Thread-safe. */
final class Latencies {
  private static final int DIGITS = 3;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), DIGITS);

  void add(long nanos) {
    micros.recordValue(
        Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), micros.getHighestTrackableValue()));
  }

  long count() {
    return micros.getTotalCount();
  }

  /**
   * Milliseconds that so many percent of the operations took at most; NaN where there were none.
   */
  double percentile(double percent) {
    return count() == 0 ? Double.NaN : micros.getValueAtPercentile(percent) / MICROS_PER_MILLI;
  }
}
