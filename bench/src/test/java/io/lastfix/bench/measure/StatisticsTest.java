package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class StatisticsTest {
  @Test
  void theMedianOfAnOddNumberIsTheMiddleOneWhateverTheOrder() {
    assertThat(Statistics.median(List.of(9.0, 1.0, 5.0))).isEqualTo(5);
  }

  @Test
  void theMedianOfAnEvenNumberIsBetweenTheMiddleTwo() {
    assertThat(Statistics.median(List.of(4.0, 1.0, 9.0, 2.0))).isEqualTo(3);
  }

  @Test
  void ofNothingThereIsNoMedianAndNoSpread() {
    assertThat(Statistics.median(List.of())).isNaN();
    assertThat(Statistics.spread(List.of(), 1)).isEqualTo("–");
  }

  @Test
  void theSpreadIsTheLeastAndTheMost() {
    assertThat(Statistics.spread(List.of(1_500.0, 900.25, 1_000.0), 1)).isEqualTo("900.3–1,500.0");
  }

  @Test
  void oneRoundHasNoSpread() {
    assertThat(Statistics.spread(List.of(1_500.0), 1)).isEqualTo("–");
  }
}
