package io.lastfix.bench.load;

import java.util.concurrent.TimeUnit;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/** Latencies of many operations, with three digits. Thread-safe. */
public final class Latencies {
  private static final int DIGITS = 3;
  private static final double MICROS_PER_MILLI = 1_000;

  private final Histogram micros = new ConcurrentHistogram(TimeUnit.MINUTES.toMicros(10), DIGITS);

  /** Adds an operation that took so long. */
  public void add(long nanos) {
    micros.recordValue(
        Math.min(TimeUnit.NANOSECONDS.toMicros(nanos), micros.getHighestTrackableValue()));
  }

  /** The number of operations. */
  public long count() {
    return micros.getTotalCount();
  }

  /** A percentile in milliseconds; NaN if there are no operations. */
  public double percentile(double percent) {
    return count() == 0 ? Double.NaN : micros.getValueAtPercentile(percent) / MICROS_PER_MILLI;
  }
}
