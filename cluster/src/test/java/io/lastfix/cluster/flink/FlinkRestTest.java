package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.cluster.flink.FlinkRest.CheckpointTime;
import io.lastfix.cluster.flink.FlinkRest.Checkpoints;
import io.lastfix.cluster.flink.FlinkRest.CompletedCheckpoint;
import io.lastfix.cluster.flink.FlinkRest.FailedCheckpoint;
import io.lastfix.cluster.flink.FlinkRest.Job;
import io.lastfix.cluster.flink.FlinkRest.JobProgress;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With answers in the form of Flink 1.20. */
class FlinkRestTest {
  private static final String JOB = "a0b1c2d3e4f5061728394a5b6c7d8e9f";

  private final CannedCluster cluster = new CannedCluster();
  private final FlinkRest flink = new FlinkRest(cluster.url());

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void jobsAreListedTheLatestFirst() throws IOException {
    cluster.answers(
        "/jobs/overview",
        """
        {"jobs":[
          {"jid":"first","name":"lastfix-location","state":"CANCELED","start-time":1000},
          {"jid":"third","name":"lastfix-location","state":"RUNNING","start-time":3000},
          {"jid":"second","name":"other","state":"FAILED","start-time":2000}]}
        """);

    assertThat(flink.jobs())
        .containsExactly(
            new Job("third", "lastfix-location", "RUNNING", Instant.ofEpochMilli(3000)),
            new Job("second", "other", "FAILED", Instant.ofEpochMilli(2000)),
            new Job("first", "lastfix-location", "CANCELED", Instant.ofEpochMilli(1000)));
    assertThat(flink.jobs()).extracting(Job::isOver).containsExactly(false, true, true);
  }

  @Test
  void checkpointsAreCountedAndTheNewestOfEachKindIsKnown() throws IOException {
    String path = "/jobs/" + JOB + "/checkpoints";
    cluster.answers(
        path,
        """
        {"counts":{"restored":1,"total":9,"in_progress":1,"completed":6,"failed":2},
         "latest":{
          "completed":{"id":8,"trigger_timestamp":2000,"end_to_end_duration":250,"state_size":4711},
          "failed":{"id":5,"failure_timestamp":1500,"failure_message":"Checkpoint expired"},
          "savepoint":null,"restored":null}}
        """);

    assertThat(flink.checkpoints(JOB))
        .isEqualTo(
            new Checkpoints(
                6,
                2,
                1,
                new CompletedCheckpoint(8, Instant.ofEpochMilli(2000), 250, 4711),
                new FailedCheckpoint(5, Instant.ofEpochMilli(1500), "Checkpoint expired")));
    cluster.answers(path, "{\"counts\":{\"completed\":0},\"latest\":{\"completed\":null}}");
    assertThat(flink.checkpoints(JOB)).isEqualTo(new Checkpoints(0, 0, 0, null, null));
  }

  /** Flink answers 404 for each batch job, as for a job that it does not know. */
  @Test
  void aBatchJobHasNoCheckpointsAndAnUnknownJobIsAProblem() throws IOException {
    String path = "/jobs/" + JOB + "/checkpoints";
    cluster.lacks(
        path, "org.apache.flink.RestHandlerException: Checkpointing has not been enabled.");

    assertThat(flink.checkpoints(JOB)).isEqualTo(new Checkpoints(0, 0, 0, null, null));
    // Who waits for a checkpoint would wait for ever.
    assertThatThrownBy(() -> flink.latestCheckpoint(JOB)).hasMessageContaining("not been enabled");
    assertThatThrownBy(() -> flink.latestCompletedCheckpoint(JOB))
        .hasMessageContaining("not been enabled");
    assertThat(flink.restoredFrom(JOB)).isEmpty();
    assertThat(flink.latestRestorePoint(JOB)).isEmpty();

    cluster.lacks(path, "Job " + JOB + " not found");
    assertThatThrownBy(() -> flink.checkpoints(JOB)).hasMessageContaining("not found");
  }

  @Test
  void aCheckpointHasItsTimeOnceItIsCompleteOrHasFailed() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints",
        """
        {"history":[
          {"id":3,"status":"IN_PROGRESS","trigger_timestamp":3000,"end_to_end_duration":10},
          {"id":2,"status":"COMPLETED","trigger_timestamp":2000,"end_to_end_duration":250},
          {"id":1,"status":"FAILED","trigger_timestamp":1000,"end_to_end_duration":500}]}
        """);

    assertThat(flink.checkpointTimes(JOB))
        .containsExactly(
            new CheckpointTime(3, Instant.ofEpochMilli(3000), Optional.empty()),
            new CheckpointTime(2, Instant.ofEpochMilli(2000), Optional.of(Duration.ofMillis(250))),
            new CheckpointTime(1, Instant.ofEpochMilli(1000), Optional.of(Duration.ofMillis(500))));
  }

  @Test
  void aJobRunsOnceEverySubtaskDoes() throws IOException {
    cluster.answers("/jobs/" + JOB, job("RUNNING", 2, 1));
    assertThat(flink.areAllTasksRunning(JOB)).isFalse();

    cluster.answers("/jobs/" + JOB, job("RUNNING", 2, 2));
    assertThat(flink.areAllTasksRunning(JOB)).isTrue();

    cluster.answers("/jobs/" + JOB, job("RESTARTING", 2, 2));
    assertThat(flink.areAllTasksRunning(JOB)).isFalse();
  }

  private static String job(String state, int parallelism, int running) {
    return """
        {"state":"%s","vertices":[
          {"id":"v1","parallelism":1,"tasks":{"RUNNING":1}},
          {"id":"v2","parallelism":%d,"tasks":{"RUNNING":%d}}]}
        """
        .formatted(state, parallelism, running);
  }

  @Test
  void aJobWithoutTasksYetDoesNotRun() throws IOException {
    cluster.answers("/jobs/" + JOB, "{\"state\":\"RUNNING\",\"vertices\":[]}");

    assertThat(flink.areAllTasksRunning(JOB)).isFalse();
  }

  @Test
  void metricsOfAllVerticesAreAggregatedByTheCluster() throws IOException {
    cluster.answers("/jobs/" + JOB, job("RUNNING", 2, 2));
    cluster.answers(
        metricsOf("v1"), "[{\"id\":\"parse.records\"},{\"id\":\"Shuffle.Netty.Used\"}]");
    cluster.answers(
        metricsOf("v1") + "?get=parse.records&agg=sum",
        "[{\"id\":\"parse.records\",\"sum\":41.0}]");
    cluster.answers(metricsOf("v2"), "[{\"id\":\"locate.locate.waiting\"}]");
    cluster.answers(
        metricsOf("v2") + "?get=locate.locate.waiting&agg=sum",
        "[{\"id\":\"locate.locate.waiting\",\"sum\":3.0}]");

    assertThat(flink.metrics(JOB, id -> !id.startsWith("Shuffle"), Aggregation.SUM))
        .containsOnly(Map.entry("parse.records", 41.0), Map.entry("locate.locate.waiting", 3.0));
  }

  @Test
  void manyMetricsAreAskedForInLinesThatFlinkTakes() throws IOException {
    List<String> ids =
        IntStream.range(0, 200)
            .mapToObj(i -> "Some_operator's_very_long_name_" + "x".repeat(i) + ".records")
            .toList();
    cluster.answers("/jobs/" + JOB, "{\"vertices\":[{\"id\":\"v1\"}]}");
    cluster.answers(metricsOf("v1"), values(ids, ""));
    cluster.answersMetrics(metricsOf("v1"), names -> values(names, ",\"max\":7.0"));

    assertThat(flink.metrics(JOB, id -> true, Aggregation.MAX))
        .containsOnlyKeys(ids)
        .containsEntry(ids.get(199), 7.0);
  }

  /** As in Flink's {@code MetricQueryService}, which leaves all other characters as they are. */
  @Test
  void theIdsOfMetricsHaveTheOperatorsNameAsFlinkWritesIt() {
    assertThat(FlinkRest.writerScope("last known location"))
        .isEqualTo("last_known_location__Writer.");
    assertThat(FlinkRest.writerScope("a-b, c.d")).isEqualTo("a-b__c_d__Writer.");
  }

  /** The longest name of a metric that is read so is the gauge of forget, with 44 characters. */
  @Test
  void theSmallestOf4096SubtasksIsReadInAtMost60Requests() throws IOException {
    String gauge = "last_known_location__Writer.forgottenVersion";
    cluster.answers(
        "/jobs/" + JOB,
        """
        {"vertices":[{"id":"parse","parallelism":4096},{"id":"write","parallelism":4096}]}
        """);
    cluster.answersMetrics("/jobs/%s/vertices/parse/metrics".formatted(JOB), names -> "[]");
    cluster.answersMetrics(
        "/jobs/%s/vertices/write/metrics".formatted(JOB), FlinkRestTest::versions);

    assertThat(flink.smallestOfAllSubtasks(JOB, gauge)).contains(3.0);
    assertThat(cluster.requests()).hasSizeLessThanOrEqualTo(60);
  }

  @Test
  void oneOfManySubtasksThatHasNotReportedIsMissed() throws IOException {
    cluster.answers("/jobs/" + JOB, "{\"vertices\":[{\"id\":\"write\",\"parallelism\":4096}]}");
    for (String missing : List.of("0.gauge", "1234.gauge", "4095.gauge")) {
      cluster.answersMetrics(
          "/jobs/%s/vertices/write/metrics".formatted(JOB),
          names -> versions(names.stream().filter(name -> !name.equals(missing)).toList()));

      assertThat(flink.smallestOfAllSubtasks(JOB, "gauge")).isEmpty();
    }
  }

  /** Subtask 4000 follows version 3, the others a later one. */
  private static String versions(List<String> names) {
    return names.stream()
        .map(
            name ->
                "{\"id\":\"%s\",\"value\":\"%d\"}"
                    .formatted(name, name.startsWith("4000.") ? 3 : 70))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String values(List<String> ids, String more) {
    return ids.stream()
        .map(id -> "{\"id\":\"" + id + "\"" + more + "}")
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String metricsOf(String vertex) {
    return "/jobs/%s/vertices/%s/subtasks/metrics".formatted(JOB, vertex);
  }

  @Test
  void theNewestCheckpointMayStillBeUnderWay() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints",
        "{\"latest\":{\"completed\":{\"id\":7}},\"history\":[{\"id\":8,\"status\":\"IN_PROGRESS\"},{\"id\":7}]}");

    assertThat(flink.latestCheckpoint(JOB)).isEqualTo(8);
    assertThat(flink.latestCompletedCheckpoint(JOB)).isEqualTo(7);
  }

  @Test
  void aJobWithoutACheckpointHasNumberZero() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints", "{\"latest\":{\"completed\":null},\"history\":[]}");

    assertThat(flink.latestCheckpoint(JOB)).isZero();
    assertThat(flink.latestCompletedCheckpoint(JOB)).isZero();
  }

  @Test
  void aJobHasBegunOnceATaskRunsOrHasRun() throws IOException {
    cluster.answers("/jobs/" + JOB, progress("RUNNING", "\"SCHEDULED\":2"));
    assertThat(flink.progress(JOB)).isEqualTo(new JobProgress("RUNNING", false));

    cluster.answers("/jobs/" + JOB, progress("RUNNING", "\"RUNNING\":1,\"SCHEDULED\":1"));
    assertThat(flink.progress(JOB)).isEqualTo(new JobProgress("RUNNING", true));

    cluster.answers("/jobs/" + JOB, progress("FINISHED", "\"FINISHED\":2"));
    assertThat(flink.progress(JOB)).isEqualTo(new JobProgress("FINISHED", true));
    assertThat(flink.progress(JOB).isOver()).isTrue();
  }

  private static String progress(String state, String tasks) {
    return "{\"state\":\"%s\",\"vertices\":[{\"id\":\"v1\",\"tasks\":{%s}}]}"
        .formatted(state, tasks);
  }

  @Test
  void accumulatorsAreReadByName() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/accumulators",
        """
        {"job-accumulators":[],"user-task-accumulators":[
          {"name":"documents","type":"LongCounter","value":"3000000"},
          {"name":"users","type":"LongCounter","value":"200"}]}
        """);

    assertThat(flink.accumulators(JOB))
        .containsOnly(Map.entry("documents", "3000000"), Map.entry("users", "200"));
  }

  @Test
  void theCauseOfAFailureIsTheMessageAtItsRoot() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/exceptions",
        "{\"root-exception\":\"JobException: Recovery is suppressed\\n\\tat a\\n"
            + "Caused by: RuntimeException: one\\n\\tat b\\nCaused by: IOException: two\\n\\tat c\"}");

    assertThat(flink.causeOf(JOB)).contains("IOException: two");
  }

  @Test
  void whatFailedAtTheSameTimeIsNamedBesideAFailure() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/exceptions",
        """
        {"exceptionHistory":{"entries":[{"timestamp":5,"stacktrace":"A: lost","concurrentExceptions":
          [{"stacktrace":"A: lost"},{"stacktrace":"B: one"},{"stacktrace":"B: two"},{"stacktrace":"B: three"}]},
          {"timestamp":4,"stacktrace":"A: lost"}]}}
        """);

    assertThat(flink.failures(JOB))
        .extracting(FlinkRest.JobFailure::cause)
        .containsExactly("A: lost; at the same time: B: one; at the same time: B: two", "A: lost");
  }

  @Test
  void cancellingAsksFlinkToCancel() throws IOException {
    cluster.answers("/jobs/" + JOB + "?mode=cancel", "");

    flink.cancel(JOB);

    assertThat(cluster.requests()).containsExactly("PATCH /jobs/" + JOB + "?mode=cancel");
  }

  @Test
  void theNewestOfCheckpointAndSavepointIsWhatAJobCanGoOnFrom() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints",
        """
        {"latest":{
          "completed":{"id":7,"trigger_timestamp":7000,"external_path":"file:/chk-7"},
          "savepoint":{"id":8,"trigger_timestamp":8000,"external_path":"file:/savepoint-8"},
          "failed":null}}
        """);

    assertThat(flink.latestRestorePoint(JOB))
        .contains(new FlinkRest.RestorePoint("file:/savepoint-8", Instant.ofEpochMilli(8000)));
  }

  @Test
  void aJobWithoutACheckpointHasNothingToGoOnFrom() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints", "{\"latest\":{\"completed\":null,\"savepoint\":null}}");

    assertThat(flink.latestRestorePoint(JOB)).isEmpty();
  }

  @Test
  void aSettingOfTheClusterIsFoundByItsKey() throws IOException {
    cluster.answers(
        "/jobmanager/config",
        """
        [{"key":"rest.port","value":"8081"},
         {"key":"execution.checkpointing.dir","value":"s3://bucket"}]
        """);

    assertThat(flink.clusterSetting("execution.checkpointing.dir")).contains("s3://bucket");
    assertThat(flink.clusterSetting("state.checkpoints.dir")).isEmpty();
  }

  @Test
  void aJobIsStoppedWithASavepointAndItsPathReturnedOnceItHasEnded() throws Exception {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(
        "/jobs/" + JOB + "/savepoints/request",
        """
        {"status":{"id":"COMPLETED"},"operation":{"location":"file:/savepoint-1"}}
        """);
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"a\",\"state\":\"FINISHED\"}]}".formatted(JOB));

    assertThat(new StopWithSavepoint(flink).stop(JOB, null, Duration.ofMinutes(1)))
        .isEqualTo("file:/savepoint-1");
    assertThat(cluster.requests()).contains("POST /jobs/" + JOB + "/stop");
  }

  @Test
  void aSavepointThatFailedIsToldWithItsRootCause() {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(
        "/jobs/" + JOB + "/savepoints/request",
        """
        {"status":{"id":"COMPLETED"},"operation":{"failure-cause":{"class":"X","stack-trace":
        "outer: failed\\n\\tat a\\nCaused by: middle\\n\\tat b\\nCaused by: the disk is full\\n\\tat c"}}}
        """);

    assertThatThrownBy(() -> new StopWithSavepoint(flink).stop(JOB, null, Duration.ofMinutes(1)))
        .isInstanceOf(IOException.class)
        .hasMessage("no savepoint could be taken: the disk is full");
  }

  @Test
  void aSavepointThatTakesTooLongIsGivenUp() {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(
        "/jobs/" + JOB + "/savepoints/request", "{\"status\":{\"id\":\"IN_PROGRESS\"}}");

    assertThatThrownBy(() -> new StopWithSavepoint(flink).stop(JOB, null, Duration.ZERO))
        .isInstanceOf(IOException.class)
        .hasMessage("no savepoint (not after 0 s); Flink may still take it, and end the job");
  }

  @Test
  void aCheckpointWithoutAPathIsNothingToGoOnFrom() throws IOException {
    cluster.answers(
        "/jobs/" + JOB + "/checkpoints",
        """
        {"latest":{"completed":{"id":7,"trigger_timestamp":7000,
        "external_path":"<checkpoint-not-externally-addressable>"}}}
        """);

    assertThat(flink.latestRestorePoint(JOB)).isEmpty();
  }

  @Test
  void aRefusalNamesTheCallAndFlinksFirstLine() {
    assertThatThrownBy(() -> flink.failureOf(JOB))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("Flink answered 404 to GET http://127.0.0.1")
        .hasMessageContaining("/jobs/" + JOB + "/exceptions: {\"errors\":[\"Not found")
        .message()
        .doesNotContain("at somewhere");
  }

  @Test
  void aClusterThatIsNotThereIsNamed() {
    String url = cluster.url();
    cluster.stop();

    assertThatThrownBy(() -> flink.jobs())
        .isInstanceOf(IOException.class)
        .hasMessage("Flink does not answer at " + url + "/");
  }
}
