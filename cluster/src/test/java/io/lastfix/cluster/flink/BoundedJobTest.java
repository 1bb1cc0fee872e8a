package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class BoundedJobTest {
  private static final String JOB = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final Duration SLOT_LIMIT = Duration.ofMillis(1);

  private final CannedCluster cluster = new CannedCluster();
  private final BoundedJob job = new BoundedJob(new FlinkRest(cluster.url()), JOB);

  @BeforeEach
  void countSomething() {
    cluster.answers(
        "/jobs/" + JOB + "/accumulators",
        "{\"user-task-accumulators\":[{\"name\":\"users\",\"value\":\"7\"}]}");
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void aFinishedJobGivesWhatItCounted() throws Exception {
    cluster.answers("/jobs/" + JOB, job("FINISHED", "FINISHED"));

    assertThat(job.await(SLOT_LIMIT, counted -> {})).isEqualTo(Map.of("users", "7"));
  }

  @Test
  void aJobThatHasBegunIsWaitedForPastTheSlotLimit() throws Exception {
    cluster.answers("/jobs/" + JOB, job("RUNNING", "RUNNING"));

    Map<String, String> counted =
        job.await(
            SLOT_LIMIT, soFar -> cluster.answers("/jobs/" + JOB, job("FINISHED", "FINISHED")));

    assertThat(counted).containsEntry("users", "7");
  }

  @Test
  void aJobWithoutASlotIsCancelledAndTheSlotsAreNamed() {
    cluster.answers("/jobs/" + JOB, job("RUNNING", "SCHEDULED"));
    cluster.answers("/jobs/" + JOB + "?mode=cancel", "");
    cluster.answers("/overview", "{\"slots-total\":4,\"slots-available\":0}");

    assertThatThrownBy(() -> job.await(SLOT_LIMIT, counted -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "the cluster had no slot for job "
                + JOB
                + " within 0 s (0 of 4 are free): it is cancelled. Add a TaskManager,"
                + " or a slot, and try again");
    assertThat(cluster.requests()).contains("PATCH /jobs/" + JOB + "?mode=cancel");
  }

  @Test
  void aFailedJobSaysWhatItFailedOf() {
    cluster.answers("/jobs/" + JOB, job("FAILED", "FAILED"));
    cluster.answers(
        "/jobs/" + JOB + "/exceptions",
        "{\"root-exception\":\"JobException: x\\n\\tat a\\nCaused by: IOException: broken\\n\\tat b\"}");

    assertThatThrownBy(() -> job.await(SLOT_LIMIT, counted -> {}))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "job %s is FAILED: IOException: broken (%s/#/job/running/%s)"
                .formatted(JOB, cluster.url(), JOB));
  }

  @Test
  void callsThatFailForAWhileEndNoWait() throws Exception {
    cluster.answers("/jobs/" + JOB, job("RUNNING", "RUNNING"));

    Map<String, String> counted =
        job.await(
            SLOT_LIMIT,
            soFar -> {
              cluster.answers("/jobs/" + JOB, job("FINISHED", "FINISHED"));
              cluster.failsNext(3);
            });

    assertThat(counted).containsEntry("users", "7");
    assertThat(cluster.failuresLeft()).isZero();
  }

  @Test
  void aClusterThatIsSilentForTooLongEndsTheWaitWithTheJobAndItsPage() {
    BoundedJob impatient = new BoundedJob(new FlinkRest(cluster.url()), JOB, Duration.ofMillis(1));

    assertThatThrownBy(() -> impatient.await(SLOT_LIMIT, counted -> {}))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith(
            "Flink returned no state of job " + JOB + " for 0 s (Flink answered 404 ")
        .hasMessageEndingWith(
            "the job may still run, see %s/#/job/running/%s".formatted(cluster.url(), JOB));
  }

  private static String job(String state, String task) {
    return "{\"state\":\"%s\",\"vertices\":[{\"id\":\"v1\",\"tasks\":{\"%s\":1}}]}"
        .formatted(state, task);
  }
}
