package io.lastfix.bench;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Latencies of many operations, with three digits. Thread-safe. */
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

  /** A percentile in milliseconds; NaN if there are no operations. */
  double percentile(double percent) {
    return count() == 0 ? Double.NaN : micros.getValueAtPercentile(percent) / MICROS_PER_MILLI;
  }
}
