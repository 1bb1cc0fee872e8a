package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LostRecordsTest {
  private static final String JOB = "lastfix-location-analytics";

  private static final String LOST = "Source__read_located.located.recordsLost";
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final CannedCluster cluster = new CannedCluster();
  private final AtomicInteger queries = new AtomicInteger();

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
    cluster.answers("/taskmanagers", "{\"taskmanagers\":[{\"id\":\"t1\"}]}");
    cluster.answersWith(
        "/taskmanagers/t1/metrics?get=Status.JVM.CPU.Time",
        () -> {
          int query = queries.incrementAndGet();
          return "[{\"id\":\"Status.JVM.CPU.Time\",\"value\":\"%d\"}]"
              .formatted(hasCollected() ? 900_000_000_000L + query : 17L);
        });
    cluster.answersWith(path("v1", LOST), () -> sum(LOST, hasCollected() ? 70_630 : 8_705));
    cluster.answers(path("v2", LOST), "[]");
  }

  /** As Flink does, it answers with what it had collected before, and collects then. */
  private boolean hasCollected() {
    return queries.get() > 2;
  }

  private static String sum(String metric, long sum) {
    return "[{\"id\":\"%s\",\"sum\":%d.0}]".formatted(metric, sum);
  }

  private static String path(String vertex, String metric) {
    return "/jobs/b/vertices/%s/subtasks/metrics?get=%s&agg=sum".formatted(vertex, metric);
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void theNumberIsOfTheRunningJobAsFlinkCollectsItNow() throws IOException {
    FlinkRest flink = new FlinkRest(cluster.url());
    assertThat(LostRecords.ofAll(flink, flink.jobs(), List.of("-analytics", "-rules"), LIMIT))
        .isEqualTo(Map.of(JOB, 70_630L));
    // Last, because it waits for a second only, which the first request of a JVM may take.
    assertThat(LostRecords.query(Optional.of(cluster.url()), JOB).await()).hasValue(70_630);
  }

  @Test
  void ifFlinkCollectsNothingNewTheOldNumberIsReturned() throws IOException {
    FlinkRest flink = new FlinkRest(cluster.url());
    assertThat(LostRecords.of(flink, flink.jobs(), JOB, Duration.ZERO)).hasValue(8_705);
  }

  @Test
  void aTaskManagerWithoutMetricsIsWaitedForAndAClusterWithoutOneIsNot() throws IOException {
    FlinkRest flink = new FlinkRest(cluster.url());
    cluster.answers("/taskmanagers/t1/metrics?get=Status.JVM.CPU.Time", "[]");
    assertThat(FreshMetrics.await(flink, Duration.ZERO)).isFalse();
    cluster.answers("/taskmanagers", "{\"taskmanagers\":[]}");
    assertThat(FreshMetrics.await(flink, Duration.ZERO)).isTrue();
  }

  @Test
  void whatIsNotKnownIsNoFailure() {
    assertThat(LostRecords.query(Optional.of(cluster.url()), "other").await()).isEmpty();
    assertThat(LostRecords.query(Optional.empty(), JOB).await()).isEmpty();
    cluster.stop();
    assertThat(LostRecords.query(Optional.of(cluster.url()), JOB).await()).isEmpty();
  }

  @Test
  void onlyIfThereAreSomeALineSaysSo() {
    assertThat(LostRecords.text(OptionalLong.empty())).isEmpty();
    assertThat(LostRecords.text(OptionalLong.of(0))).isEmpty();
    assertThat(LostRecords.text(OptionalLong.of(70_623)).orElseThrow())
        .startsWith("70,623 located records are missing in the analytics job's numbers")
        .contains("lastfix analyze");
  }
}
