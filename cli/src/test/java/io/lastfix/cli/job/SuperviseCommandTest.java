package io.lastfix.cli.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.FlinkRun;
import org.junit.jupiter.api.Test;

class SuperviseCommandTest {
  @Test
  void aSubmissionThatIsUnderWayIsWaitedForToItsLimit() {
    assertThat(SuperviseCommand.LAST_INSPECTION_LIMIT).isGreaterThan(FlinkRun.LIMIT);
  }
}
