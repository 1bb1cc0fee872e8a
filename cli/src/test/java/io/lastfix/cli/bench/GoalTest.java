package io.lastfix.cli.bench;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class GoalTest {
  @Test
  void theBoundItselfReachesTheGoal() {
    assertThat(Goal.atLeast("ratio", 0.85, 0.85).isReached()).isTrue();
    assertThat(Goal.atMost("bytes", 100, 100).isReached()).isTrue();
  }

  @Test
  void beyondTheBoundTheGoalIsMissed() {
    assertThat(Goal.atLeast("ratio", 0.85, 0.84).isReached()).isFalse();
    assertThat(Goal.atMost("bytes", 100, 101).isReached()).isFalse();
  }

  @Test
  void whatCouldNotBeMeasuredIsNotReached() {
    assertThat(Goal.atLeast("ratio", 0.85, Double.NaN).isReached()).isFalse();
    assertThat(Goal.atMost("bytes", 100, Double.NaN).isReached()).isFalse();
  }

  @Test
  void theBoundIsWrittenWithoutNeedlessZeros() {
    assertThat(Goal.atLeast("ratio", 0.85, 1).bound()).isEqualTo("≥ 0.85");
    assertThat(Goal.atMost("bytes", 100, 1).bound()).isEqualTo("≤ 100");
  }
}
