package io.lastfix.stack.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LateRecordsTest {
  private static final String JOB = "lastfix-location-analytics";

  private final CannedCluster cluster = new CannedCluster();

  @BeforeEach
  void aJobRuns() {
    cluster.answers(
        "/jobs/overview",
        """
        {"jobs":[
          {"jid":"a","name":"lastfix-location","state":"RUNNING","start-time":2000},
          {"jid":"b","name":"lastfix-location-analytics","state":"RUNNING","start-time":1000},
          {"jid":"c","name":"lastfix-location-analytics","state":"CANCELED","start-time":500}]}
        """);
    cluster.answers("/jobs/b", "{\"vertices\":[{\"id\":\"v1\"},{\"id\":\"v2\"}]}");
    String late = "distinct.distinct.leftOut";
    String lost = "Source__read_located.sourceRecordsLost";
    cluster.answers(path("v1", late), "[]");
    cluster.answers(path("v2", late), "[{\"id\":\"" + late + "\",\"sum\":70623.0}]");
    cluster.answers(path("v1", lost), "[{\"id\":\"" + lost + "\",\"sum\":7.0}]");
  }

  private static String path(String vertex, String metric) {
    return "/jobs/b/vertices/%s/subtasks/metrics?get=%s&agg=sum".formatted(vertex, metric);
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void theNumberIsOfTheRunningJobTooLateAndDeletedOnes() throws IOException {
    FlinkRest flink = new FlinkRest(cluster.url());
    assertThat(LateRecords.ofAll(flink, flink.jobs(), "-analytics"))
        .isEqualTo(Map.of(JOB, 70_630L));
    // Last, because it waits for a second only, which the first request of a JVM may take.
    assertThat(LateRecords.query(Optional.of(cluster.url()), JOB).await()).hasValue(70_630);
  }

  @Test
  void whatIsNotKnownIsNoFailure() {
    assertThat(LateRecords.query(Optional.of(cluster.url()), "other").await()).isEmpty();
    assertThat(LateRecords.query(Optional.empty(), JOB).await()).isEmpty();
    cluster.stop();
    assertThat(LateRecords.query(Optional.of(cluster.url()), JOB).await()).isEmpty();
  }

  @Test
  void onlyIfThereAreSomeALineSaysSo() {
    assertThat(LateRecords.text(OptionalLong.empty())).isEmpty();
    assertThat(LateRecords.text(OptionalLong.of(0))).isEmpty();
    assertThat(LateRecords.text(OptionalLong.of(70_623)).orElseThrow())
        .startsWith("70,623 located records came too late for the analytics job since it was")
        .contains("lastfix analyze");
  }
}
