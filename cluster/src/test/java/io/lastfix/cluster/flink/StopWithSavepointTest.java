package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StopWithSavepointTest {
  private static final String JOB = "a0b1c2d3e4f5061728394a5b6c7d8e9f";
  private static final String SAVEPOINT = "/jobs/" + JOB + "/savepoints/request";
  private static final Duration LIMIT = Duration.ofMinutes(1);

  private final CannedCluster cluster = new CannedCluster();
  private final FlinkRest flink = new FlinkRest(cluster.url());

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void aClusterThatIsSilentForAWhileDoesNotEndTheWait() {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    CompletableFuture<String> stopped =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return new StopWithSavepoint(flink).stop(JOB, null, LIMIT);
              } catch (IOException | InterruptedException e) {
                throw new AssertionError(e);
              }
            });
    Awaitility.await().until(() -> cluster.requests().contains("GET " + SAVEPOINT));

    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"a\",\"state\":\"FINISHED\"}]}".formatted(JOB));
    cluster.answers(
        SAVEPOINT,
        "{\"status\":{\"id\":\"COMPLETED\"},\"operation\":{\"location\":\"file:/savepoint-1\"}}");

    assertThat(stopped).succeedsWithin(LIMIT).isEqualTo("file:/savepoint-1");
  }

  @Test
  void oneThatIsSilentForTooLongIsGivenUpAndMayYetEndTheJob() {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");

    assertThatThrownBy(() -> new StopWithSavepoint(flink, Duration.ZERO).stop(JOB, null, LIMIT))
        .isInstanceOf(StopGivenUpException.class)
        .hasMessageContainingAll("no answer for 0 s", "Flink may still take it, and end the job");
  }

  @Test
  void aSavepointThatIsTakenIsNamedThoughTheJobIsNotSeenToEnd() {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(SAVEPOINT, "{\"operation\":{\"location\":\"file:/savepoint-1\"}}");

    assertThatThrownBy(() -> new StopWithSavepoint(flink, Duration.ZERO).stop(JOB, null, LIMIT))
        .isInstanceOf(StopGivenUpException.class)
        .hasMessageContaining("the savepoint is taken (file:/savepoint-1)");
  }

  @Test
  void aJobThatFailsOnceItsSavepointIsTakenIsStoppedWithThatSavepoint() throws Exception {
    cluster.answers("/jobs/" + JOB + "/stop", "{\"request-id\":\"request\"}");
    cluster.answers(
        SAVEPOINT,
        """
        {"status":{"id":"COMPLETED"},"operation":{"failure-cause":{"stack-trace":
        "java.util.concurrent.CompletionException: Stop with savepoint operation could not be completed.\\nCaused by: org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException: A savepoint has been created at: file:/my savepoints/savepoint-1, but the corresponding job %s failed during stopping. The savepoint is consistent, but might have uncommitted transactions."}}}"""
            .formatted(JOB));
    cluster.answers(
        "/jobs/overview",
        "{\"jobs\":[{\"jid\":\"%s\",\"name\":\"a\",\"state\":\"FAILED\"}]}".formatted(JOB));

    assertThat(new StopWithSavepoint(flink).stop(JOB, null, LIMIT))
        .isEqualTo("file:/my savepoints/savepoint-1");
  }

  @Test
  void whatFlinkRefusesWillNotEndTheJob() {
    assertThatThrownBy(() -> new StopWithSavepoint(flink).stop(JOB, null, LIMIT))
        .isInstanceOf(FlinkAnswerException.class);
  }
}
