package io.lastfix.testcontainers;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When the job counts as started, by Flink's answer to {@code /jobs/overview}. */
class JobWaitStrategyTest {
  private static final String OVERVIEW =
      "{\"jobs\":[{\"jid\":\"a\",\"state\":\"RUNNING\",\"tasks\":{\"running\":%d,\"canceling\":0,\"total\":%d,\"finished\":0}}]}";

  @ParameterizedTest
  @CsvSource({"4, 4, true", "3, 4, false", "0, 0, false", "4, 44, false"})
  void itRunsOnceEachTaskRuns(int running, int total, boolean expected) {
    assertThat(JobWaitStrategy.runsAJob(OVERVIEW.formatted(running, total))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource({"{\"jobs\":[]}", "''"})
  void withoutAJobItDoesNotRun(String overview) {
    assertThat(JobWaitStrategy.runsAJob(overview)).isFalse();
  }
}
