package io.lastfix.cluster.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.flink.CannedCluster;
import io.lastfix.cluster.submission.SubmittedJob.End;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobShutdownTest {
  @TempDir private Path directory;

  private final CannedCluster cluster = new CannedCluster();
  private final List<String> said = new ArrayList<>();
  private SubmittedJobs jobs;
  private SubmittedJob job;

  @BeforeEach
  void submitJob() throws IOException {
    jobs = SubmittedJobs.ofLocalStack(new StackHome(directory));
    job = SubmittedJobExamples.withFilesUnder(directory, null);
    jobs.remember(job);
    Files.writeString(
        directory.resolve("stack.json"),
        "{\"processes\":[],\"ports\":{},\"endpoints\":{\"flink\":\"%s\"}}"
            .formatted(cluster.url()));
    cluster.answers("/config", "{\"flink-version\":\"1.20.5\"}");
  }

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  private void takeDown() throws Exception {
    new JobShutdown(new StackHome(directory), said::add).stopJobs(Duration.ofMillis(200));
  }

  private void listed(String state) {
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"%s\",\"state\":\"%s\"}]}"
            .formatted(job.id(), job.name(), state));
  }

  @Test
  void aJobThatWasCancelledBeforeIsRememberedAsThat() throws Exception {
    listed("CANCELED");

    takeDown();

    assertThat(jobs.find(job.name()).orElseThrow().end()).isEqualTo(End.CANCELED);
  }

  @Test
  void aJobThatCannotBeStoppedIsRememberedAsTakenDown() throws Exception {
    listed("RUNNING");

    takeDown();

    assertThat(jobs.find(job.name()).orElseThrow().end()).isEqualTo(End.TAKEN_DOWN);
    assertThat(said).anyMatch(line -> line.contains("is killed"));
  }

  @Test
  void aJobThatIsStoppedIsSaidWithItsSavepointAndHowItGoesOn() throws Exception {
    listed("RUNNING");
    String jobPath = "/jobs/" + job.id();
    cluster.answers(jobPath + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(
        jobPath + "/savepoints/request",
        "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"location\":\"file:/savepoint-1\"}}");
    CompletableFuture<Void> takenDown =
        CompletableFuture.runAsync(
            () -> {
              try {
                new JobShutdown(new StackHome(directory), said::add)
                    .stopJobs(Duration.ofMinutes(1));
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Awaitility.await().until(() -> cluster.requests().contains("POST " + jobPath + "/stop"));
    listed("FINISHED");

    assertThat(takenDown).succeedsWithin(Duration.ofMinutes(1));
    assertThat(said)
        .last()
        .asString()
        .contains(
            "its savepoint: file:/savepoint-1. It resumes with lastfix up, then"
                + " lastfix submit location --resume --config /etc/location.yaml"
                + " --set job.parallelism=2 --set mongo.uri=...");
  }

  @Test
  void aDamagedFileDoesNotKeepTheOthersFromBeingLookedAt() throws Exception {
    Files.writeString(directory.resolve("jobs/a-damaged.json"), "{");
    listed("CANCELED");

    takeDown();

    assertThat(said).anyMatch(line -> line.contains("a-damaged.json is damaged"));
    assertThat(jobs.find(job.name()).orElseThrow().end()).isEqualTo(End.CANCELED);
  }

  @Test
  void aClusterThatDoesNotListItsJobsAndALockThatIsHeldAreSaid() throws Exception {
    takeDown();
    var held = jobs.lock(job.name()).acquire(Duration.ZERO);
    takeDown();
    held.close();

    assertThat(said)
        .hasSize(2)
        .anyMatch(line -> line.contains("Flink answered 404"))
        .anyMatch(line -> line.contains("is running"));
  }
}
