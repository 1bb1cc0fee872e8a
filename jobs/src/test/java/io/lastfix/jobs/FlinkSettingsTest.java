package io.lastfix.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.jobs.config.LocationJobConfig;
import java.time.Duration;
import java.util.List;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FlinkSettingsTest {
  @ParameterizedTest
  @CsvSource({
    // The defaults: sink.retry.timeout is 5 min.
    "sink.retry.timeout=5 min, 6",
    "sink.retry.timeout=10 min, 11",
    // The producer tries for two minutes at least.
    "sink.retry.timeout=1 s, 3",
    // Not below Flink's default.
    "kafka.properties.delivery.timeout.ms=30000, 3",
    "kafka.properties.delivery.timeout.ms=180000, 4",
    // The producer's maximum.
    "kafka.properties.delivery.timeout.ms=2147483647, 35792"
  })
  void aCancelledTaskHasTheTimeOfARejectedMessageInFlightAndAMinute(String setting, long minutes) {
    assertThat(cancellationTimeout(List.of(setting)).toMinutes()).isEqualTo(minutes);
  }

  @Test
  void theDefaultIsSixMinutes() {
    assertThat(cancellationTimeout(List.of())).isEqualTo(Duration.ofMinutes(6));
  }

  @Test
  void aDeliveryTimeoutThatIsNoNumberIsNamed() {
    assertThatThrownBy(
            () -> cancellationTimeout(List.of("kafka.properties.delivery.timeout.ms=soon")))
        .hasMessageContaining("delivery.timeout.ms")
        .hasMessageContaining("soon");
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
