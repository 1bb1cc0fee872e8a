package io.lastfix.sink;

import org.apache.flink.metrics.HistogramStatistics;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogram;
import org.apache.flink.runtime.metrics.DescriptiveStatisticsHistogramStatistics;

/**
 * A histogram of the last 1,024 values. Before the first value it is 0 and not NaN as Flink's: the
 * greatest of several subtasks would be NaN, too.
 */
final class RecentValuesHistogram extends DescriptiveStatisticsHistogram {
  private static final long serialVersionUID = 1L;
  private static final int SIZE = 1_024;
  private static final double[] NO_VALUE_YET = {0};

  RecentValuesHistogram() {
    super(SIZE);
  }

  @Override
  public HistogramStatistics getStatistics() {
    return getCount() == 0
        ? new DescriptiveStatisticsHistogramStatistics(NO_VALUE_YET)
        : super.getStatistics();
  }
}
