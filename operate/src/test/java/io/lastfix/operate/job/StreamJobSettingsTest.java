package io.lastfix.operate.job;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.submission.Submission;
import io.lastfix.jobs.Jobs;
import io.lastfix.local.EndpointOverrides;
import io.lastfix.operate.access.JobSettings;
import io.lastfix.operate.access.Servers;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class StreamJobSettingsTest {
  private static final Map<String, String> LOCAL_STACK =
      Map.of(
          "flink", "http://127.0.0.1:8081",
          "kafka", "127.0.0.1:9092",
          "mongodb", "mongodb://127.0.0.1/");

  private static StreamJobSettings of(EndpointOverrides named) {
    Servers servers = new Servers(named, LOCAL_STACK, Set.of());
    JobSettings settings = new JobSettings(null, List.of());
    return new StreamJobSettings(Jobs.LOCATION, servers, settings, settings.load(servers));
  }

  private static StreamJobSettings withKafka(String brokers) {
    return of(new EndpointOverrides(Optional.empty(), Optional.of(brokers), Optional.empty()));
  }

  @Test
  void whereNothingIsNamedTheJobIsOfTheLocalStack() {
    StreamJobSettings settings = of(EndpointOverrides.none());

    assertThat(settings.cluster()).isEqualTo(Submission.LOCAL_STACK);
    assertThat(settings.kafka()).isEqualTo(Submission.LOCAL_STACK);
  }

  @Test
  void theLocalStacksKafkaIsRecognizedByItsAddress() {
    assertThat(withKafka("localhost:9092").kafka()).isEqualTo(Submission.LOCAL_STACK);
    assertThat(withKafka("127.0.0.1:9092").kafka()).isEqualTo(Submission.LOCAL_STACK);
    assertThat(withKafka("b:9092").kafka()).isEqualTo("b:9092");
  }

  /** supervise adds what a job was submitted with. */
  @Test
  void furtherKeysMakeTheSettingsOfAJobThatWasSubmittedWithThem() {
    StreamJobSettings given = of(EndpointOverrides.none());
    JobSettings own = new JobSettings(null, List.of("job.parallelism=1"));

    StreamJobSettings with = given.with(Map.of("job.parallelism", "1"));

    assertThat(with.effective())
        .isEqualTo(own.effective(given.servers()))
        .isNotEqualTo(given.effective());
    assertThat(with.config().parallelism()).isEqualTo(1);
  }

  @Test
  void aClusterThatTheUserNamedIsRecordedWithoutItsPassword() {
    assertThat(
            of(new EndpointOverrides(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.of("http://user:correct-horse@flink:8081")))
                .cluster())
        .contains("flink:8081")
        .doesNotContain("correct-horse");
  }
}
