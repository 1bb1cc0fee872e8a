package io.lastfix.operate.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.flink.FlinkRest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class UncountedRecordsTest {
  private static final String LOCATION = "lastfix-location";
  private static final String ANALYTICS = "lastfix-location-analytics";
  private static final String RULES = "lastfix-location-rules";

  private final CannedCluster cluster = new CannedCluster();

  @BeforeEach
  void theAnalyticsJobReadsATopic() {
    publishes("a", "{\"lastfix.located-topic\":\"lastfix.located\"}");
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void aLocationJobWithoutTheTopicIsNamedWithWhatToDo() throws IOException {
    publishes("l", "{\"lastfix.located-topic\":\"\"}");
    assertThat(read())
        .containsExactly(
            Map.entry(
                ANALYTICS,
                "located.topic is not set for job lastfix-location, and job"
                    + " lastfix-location-analytics reads lastfix.located: its numbers lack what is"
                    + " stored meanwhile. Stop lastfix-location, resume it with --set"
                    + " located.topic=lastfix.located, and then run lastfix analyze over that time"));
  }

  @Test
  void soIsOneThatWritesAnotherTopic() throws IOException {
    publishes("l", "{\"lastfix.located-topic\":\"other\"}");
    assertThat(read().get(ANALYTICS))
        .startsWith("job lastfix-location writes its records to the topic other, and job")
        .contains("--set located.topic=lastfix.located");
  }

  @Test
  void oneThatWritesItAndOneOfAnEarlierReleaseAreNot() throws IOException {
    publishes("l", "{\"lastfix.located-topic\":\"lastfix.located\"}");
    assertThat(read()).isEmpty();
    publishes("l", "{}");
    assertThat(read()).isEmpty();
  }

  @Test
  void aRulesJobThatGetsNothingIsNamedToo() throws IOException {
    publishes("l", "{\"lastfix.located-topic\":\"\"}");
    publishes("r", "{\"lastfix.located-topic\":\"lastfix.located\"}");

    assertThat(
            UncountedRecords.of(
                new FlinkRest(cluster.url()),
                List.of(job("l", LOCATION, "RUNNING"), job("r", RULES, "RUNNING"))))
        .containsExactly(
            Map.entry(
                RULES,
                "located.topic is not set for job lastfix-location, and job lastfix-location-rules"
                    + " reads lastfix.located: it gets nothing of what is stored meanwhile. Stop"
                    + " lastfix-location, and resume it with --set located.topic=lastfix.located"));
  }

  @Test
  void nobodyIsToldWithoutBothJobs() throws IOException {
    FlinkRest flink = new FlinkRest(cluster.url());
    assertThat(UncountedRecords.of(flink, List.of(job("a", ANALYTICS, "RUNNING")))).isEmpty();
    assertThat(
            UncountedRecords.of(
                flink, List.of(job("a", ANALYTICS, "CANCELED"), job("l", LOCATION, "RUNNING"))))
        .isEmpty();
    assertThat(UncountedRecords.problem(LOCATION, Optional.of(""), ANALYTICS, Optional.empty()))
        .isEmpty();
  }

  private Map<String, String> read() throws IOException {
    return UncountedRecords.of(
        new FlinkRest(cluster.url()),
        List.of(
            job("old", LOCATION, "FINISHED"),
            job("l", LOCATION, "RUNNING"),
            job("a", ANALYTICS, "RESTARTING")));
  }

  private void publishes(String job, String parameters) {
    cluster.answers(
        "/jobs/" + job + "/config",
        "{\"execution-config\":{\"user-config\":%s}}".formatted(parameters));
  }

  private static FlinkRest.Job job(String id, String name, String state) {
    return new FlinkRest.Job(id, name, state, Instant.EPOCH);
  }
}
