package io.lastfix.sink;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.flink.metrics.Histogram;
import org.apache.flink.metrics.HistogramStatistics;

/**
 * A histogram of the last 1,024 values, in bounded memory. One thread updates it and any thread may
 * read it; a reader may miss values that arrive during the read. Flink's own histogram is a class
 * of its runtime, which is no public API.
 */
final class RecentValuesHistogram implements Histogram {
  private static final int SIZE = 1_024;

  private final AtomicLongArray values = new AtomicLongArray(SIZE);
  private volatile long count;

  @Override
  @SuppressWarnings("NonAtomicVolatileUpdate") // Only one thread updates it.
  public void update(long value) {
    values.setPlain((int) (count & (SIZE - 1)), value);
    count++;
  }

  @Override
  public long getCount() {
    return count;
  }

  @Override
  public HistogramStatistics getStatistics() {
    long[] sorted = new long[(int) Math.min(count, SIZE)];
    for (int i = 0; i < sorted.length; i++) {
      sorted[i] = values.getPlain(i);
    }
    Arrays.sort(sorted);
    return new Statistics(sorted);
  }

  private static final class Statistics extends HistogramStatistics {
    private final long[] sorted;

    Statistics(long[] sorted) {
      this.sorted = sorted;
    }

    /**
     * Returns the smallest value that is not below that share of the values; 0 if there are none.
     */
    @Override
    public double getQuantile(double quantile) {
      if (sorted.length == 0) {
        return 0;
      }
      int rank = (int) Math.ceil(quantile * sorted.length);
      return sorted[Math.min(Math.max(rank, 1), sorted.length) - 1];
    }

    @Override
    public long[] getValues() {
      return sorted.clone();
    }

    @Override
    public int size() {
      return sorted.length;
    }

    @Override
    public double getMean() {
      return Arrays.stream(sorted).average().orElse(0);
    }

    @Override
    public double getStdDev() {
      double mean = getMean();
      return Math.sqrt(
          Arrays.stream(sorted).mapToDouble(v -> (v - mean) * (v - mean)).average().orElse(0));
    }

    @Override
    public long getMax() {
      return sorted.length == 0 ? 0 : sorted[sorted.length - 1];
    }

    @Override
    public long getMin() {
      return sorted.length == 0 ? 0 : sorted[0];
    }
  }
}
