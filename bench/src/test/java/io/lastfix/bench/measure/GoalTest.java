package io.lastfix.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {
  @Test
  void theBoundItselfReachesTheGoal() {
    assertThat(Goal.atLeast("ratio", 0.85, 0.85).outcome()).isEqualTo("yes");
    assertThat(Goal.atMost("bytes", 100, 100).outcome()).isEqualTo("yes");
  }

  @Test
  void beyondTheBoundTheGoalIsMissed() {
    assertThat(Goal.atLeast("ratio", 0.85, 0.84).outcome()).isEqualTo("no");
    assertThat(Goal.atMost("bytes", 100, 101).outcome()).isEqualTo("no");
  }

  @Test
  void whatCouldNotBeMeasuredIsSaidWithItsReason() {
    assertThat(Goal.atLeast("ratio", 0.85, Double.NaN).outcome()).isEqualTo("not measured");
    assertThat(Goal.atMost("bytes", 100, Double.NaN).orElse("no server").outcome())
        .isEqualTo("not measured: no server");
  }

  @Test
  void aReasonIsNothingWhereThereIsAFigure() {
    assertThat(Goal.atMost("bytes", 100, 100).orElse("no server").outcome()).isEqualTo("yes");
  }

  @Test
  void theBoundIsWrittenWithoutNeedlessZeros() {
    assertThat(Goal.atLeast("ratio", 0.85, 1).bound()).isEqualTo("≥ 0.85");
    assertThat(Goal.atMost("bytes", 100, 1).bound()).isEqualTo("≤ 100");
  }
}
