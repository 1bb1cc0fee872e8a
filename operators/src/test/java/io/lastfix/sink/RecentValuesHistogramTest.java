package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.sink.BulkSinkMetrics.RecentValuesHistogram;
import org.apache.flink.metrics.HistogramStatistics;
import org.junit.jupiter.api.Test;

class RecentValuesHistogramTest {
  private final RecentValuesHistogram histogram = new RecentValuesHistogram();

  @Test
  void anEmptyHistogramIsAllZero() {
    HistogramStatistics statistics = histogram.getStatistics();

    assertThat(statistics.getQuantile(0.95)).isZero();
    assertThat(statistics.getMax()).isZero();
  }

  @Test
  void quantilesAreBetweenTheSmallestAndTheGreatestValue() {
    for (int value = 100; value >= 1; value--) {
      histogram.update(value);
    }
    HistogramStatistics statistics = histogram.getStatistics();

    assertThat(statistics.getQuantile(0.001)).isEqualTo(1);
    assertThat(statistics.getQuantile(0.5)).isEqualTo(50.5);
    assertThat(statistics.getQuantile(0.95)).isBetween(95.0, 96.0);
    assertThat(statistics.getQuantile(1)).isEqualTo(100);
    assertThat(statistics.getMean()).isEqualTo(50.5);
    assertThat(statistics.getStdDev()).isBetween(28.8, 29.1);
    assertThat(statistics.getMin()).isEqualTo(1);
    assertThat(statistics.getMax()).isEqualTo(100);
  }

  @Test
  void oldValuesMakeWayForNewOnes() {
    histogram.update(1_000_000);
    for (int i = 0; i < 1_024; i++) {
      histogram.update(7);
    }

    assertThat(histogram.getCount()).isEqualTo(1_025);
    assertThat(histogram.getStatistics().size()).isEqualTo(1_024);
    assertThat(histogram.getStatistics().getMax()).isEqualTo(7);
  }
}
