package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.bench.QueryLoad.Question;
import java.util.List;
import org.junit.jupiter.api.Test;

class AskedTest {
  @Test
  void ofSeveralRoundsTheMedianCounts() {
    assertThat(
            Asked.medianAtFullIngest(
                List.of(asked(900, 1), asked(1_000, 1), asked(980, 1)), Asked::perSecond))
        .isEqualTo(980);
  }

  @Test
  void thereIsNoFigureWhereNothingWaitedAnyMoreInARound() {
    assertThat(Asked.medianAtFullIngest(List.of(asked(900, 1), asked(980, 0)), Asked::perSecond))
        .isNaN();
  }

  private static Asked asked(double perSecond, long lag) {
    return new Asked("full", Question.WHERE, 8, perSecond, new Latencies(), 0, 9_000, lag);
  }
}
