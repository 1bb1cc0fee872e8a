package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.config.LocationJobConfig;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;

class FlinkSettingsTest {
  @Test
  void aTaskThatCannotBeCancelledEndsItsTaskManagerAfterAMinute() {
    assertThat(cancellationTimeout(List.of())).isEqualTo(Duration.ofMinutes(1));
  }

  @Test
  void theUsersOwnCancellationTimeoutWins() {
    assertThat(cancellationTimeout(List.of("flink.task.cancellation.timeout=2 min")))
        .isEqualTo(Duration.ofMinutes(2));
  }

  private static Duration cancellationTimeout(List<String> settings) {
    LocationJobConfig config = LocationJobConfig.load(null, settings, name -> null);
    return Duration.ofMillis(
        StreamExecutionEnvironment.getExecutionEnvironment(LocationJob.flinkConfiguration(config))
            .getConfig()
            .getTaskCancellationTimeout());
  }
}
