package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.kit.poll.Poll;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The wait for a job of parallelism 1, with a cluster's answers. */
class WritingJobsTest {
  private static final String JOB = "a1";
  private static final long VERSION = 3;

  private final CannedCluster cluster = new CannedCluster();
  private final List<String> said = new ArrayList<>();
  private Runnable checkpointGoesOn = this::completes;
  private final WritingJobs jobs =
      new WritingJobs(
          new FlinkRest(cluster.url()),
          "lastfix-location",
          List.of("history", "last known location"),
          "forgottenVersion",
          Map.of(
              "lastfix-location-rebuild-lkl", "the rebuild of Last Known Location",
              "lastfix-location-relocate", "the search for positions found later (relocate)"),
          this::saidAndGoneOn);

  @BeforeEach
  void aJobThatFollowsAndMakesCheckpoints() {
    overview("lastfix-location", "RUNNING");
    cluster.answers("/jobs/" + JOB, "{\"vertices\":[{\"id\":\"v\",\"parallelism\":1}]}");
    gauge("history__Writer", VERSION);
    gauge("last_known_location__Writer", VERSION);
    cluster.answers("/jobs/a1/exceptions", "{}");
    // The newest one has completed, which does not matter for the requested one.
    cluster.answers(
        "/jobs/a1/checkpoints",
        "{\"request-id\":\"r1\",\"history\":[{\"id\":8}],\"latest\":{\"completed\":{\"id\":8}}}");
    becomes("{\"status\":{\"id\":\"IN_PROGRESS\"},\"operation\":null}");
  }

  @AfterEach
  void close() {
    cluster.stop();
  }

  private void overview(String name, String state) {
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"%s\",\"start-time\":1}]}"
            .formatted(JOB, name, state));
  }

  private void gauge(String writer, long version) {
    cluster.answers(
        "/jobs/a1/vertices/v/metrics?get=0.%s.forgottenVersion".formatted(writer),
        "[{\"id\":\"0.%s.forgottenVersion\",\"value\":\"%d\"}]".formatted(writer, version));
  }

  /** Sets the state of the requested checkpoint. */
  private void becomes(String operation) {
    cluster.answers("/jobs/a1/checkpoints/r1", operation);
  }

  private void completes() {
    becomes("{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"checkpointId\":9}}");
  }

  private void fails() {
    becomes(
        "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"failureCause\":{\"stack-trace\":\"CheckpointException:"
            + " expired\\n"
            + "\\tat a.B\"}}}");
  }

  private long checkpointsAskedFor() {
    return cluster.requests().stream()
        .filter(request -> request.equals("POST /jobs/a1/checkpoints"))
        .count();
  }

  /** Changes the cluster's state during the wait. */
  private void saidAndGoneOn(String waitingFor) {
    said.add(waitingFor);
    if (waitingFor.contains("checkpoint")) {
      checkpointGoesOn.run();
    } else {
      gauge("last_known_location__Writer", VERSION);
    }
  }

  private static Poll within(Duration limit) {
    return new Poll(WritingJobs.POLL, limit);
  }

  @Test
  void aJobIsWaitedForUntilBothSinksFollowAndACheckpointThatBeganAfterThatIsThere()
      throws Exception {
    gauge("last_known_location__Writer", VERSION - 1);

    jobs.await(JOB, VERSION, within(Duration.ofSeconds(30)));

    assertThat(said)
        .containsExactly(
            "waiting until job lastfix-location (a1) applies the erasure list, for up to 30 s",
            "waiting for a checkpoint of job lastfix-location (a1), for up to 30 s");
    assertThat(checkpointsAskedFor()).isEqualTo(1);
  }

  @Test
  void allJobsAreWaitedForAndNamed() throws Exception {
    assertThat(jobs.await(VERSION, Duration.ofSeconds(30))).containsExactly(JOB);
    assertThat(checkpointsAskedFor()).isEqualTo(1);

    overview("lastfix-location-relocate", "RUNNING");
    assertThatThrownBy(() -> jobs.await(VERSION, Duration.ofSeconds(30)))
        .hasMessageContaining("relocate) runs (a1)");
  }

  @Test
  void aCheckpointThatFailsIsAskedForAgain() throws Exception {
    Deque<Runnable> steps = new ArrayDeque<>(List.of(this::fails, () -> {}, this::completes));
    checkpointGoesOn = () -> steps.remove().run();

    jobs.await(JOB, VERSION, within(Duration.ofSeconds(30)));

    assertThat(steps).isEmpty();
    assertThat(checkpointsAskedFor()).isEqualTo(2);
  }

  @Test
  void whyTheLastCheckpointFailedIsSaidWhenTheTimeIsOver() {
    fails();
    checkpointGoesOn = () -> {};

    assertThatThrownBy(() -> jobs.await(JOB, VERSION, within(Duration.ofSeconds(3))))
        .hasMessageStartingWith(
            "job a1 is RUNNING, and within the time limit no checkpoint has completed since the"
                + " job applies the erasure list (the last one: CheckpointException: expired)");
  }

  @Test
  void aJobThatHasEndedIsNotWaitedFor() throws Exception {
    overview("lastfix-location", "CANCELED");

    jobs.await(JOB, VERSION + 1, within(Duration.ofSeconds(30)));

    assertThat(said).isEmpty();
    assertThat(jobs.running()).isEmpty();
  }

  @Test
  void aJobThatDoesNotFollowIsNamedWhenTheTimeIsOver() {
    gauge("history__Writer", VERSION - 1);

    assertThatThrownBy(() -> jobs.await(JOB, VERSION, within(Duration.ofSeconds(-1))))
        .hasMessageStartingWith(
            "job a1 is RUNNING, and within the time limit not every subtask has reported that it"
                + " applies the erasure list (history__Writer.forgottenVersion)");
  }

  @Test
  void aClusterWithoutTheJobIsTheWrongOneOrTheConfigurationIs() throws Exception {
    jobs.requireAny();
    overview("somebody-elses", "RUNNING");

    assertThatThrownBy(jobs::requireAny)
        .hasMessageStartingWith(
            "no job named lastfix-location runs on the Flink cluster at " + cluster.url())
        .hasMessageContaining("--config")
        .hasMessageContaining("--set job.name=NAME")
        .hasMessageContaining("--no-job");
  }

  @Test
  void aSearchForPositionsFoundLaterIsInTheWayToo() throws Exception {
    overview("lastfix-location-relocate", "RUNNING");

    assertThatThrownBy(jobs::requireNoHistoryJob).hasMessageContaining("relocate) runs (a1)");
  }

  @Test
  void aRebuildThatRunsIsInTheWay() throws Exception {
    jobs.requireNoHistoryJob();
    overview("lastfix-location-rebuild-lkl", "RUNNING");

    assertThatThrownBy(jobs::requireNoHistoryJob)
        .hasMessageContaining("the rebuild of Last Known Location runs (a1)")
        .hasMessageContaining("run this again when it has ended");
  }
}
