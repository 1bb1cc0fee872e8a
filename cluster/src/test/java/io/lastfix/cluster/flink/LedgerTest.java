package io.lastfix.cluster.flink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final CannedCluster cluster = new CannedCluster();
  private final FlinkRest flink = new FlinkRest(cluster.url());

  @AfterEach
  void stopCluster() {
    cluster.stop();
  }

  @Test
  void aLedgerThatBalancesHasNoProblem() {
    assertThat(ledger(7, 0).problem()).isEmpty();
  }

  @Test
  void theProblemSaysWhetherRecordsAreLostOrCountedTwice() {
    assertThat(ledger(7, 1_234))
        .extracting(it -> it.problem().orElseThrow())
        .isEqualTo(
            "1,234 records are in no sum: they are lost. See docs/operate/watch.md#the-ledger");
    assertThat(ledger(7, -2))
        .extracting(it -> it.problem().orElseThrow())
        .isEqualTo(
            "2 records are in the sums that did not come in: they are counted twice."
                + " See docs/operate/watch.md#the-ledger");
  }

  @Test
  void aLedgerThatTheClusterCollectedBeforeTheNewestCheckpointIsReadAgain() throws Exception {
    completed(9);
    reports(Optional.of(ledger(3, 0)));
    CompletableFuture<Void> collects =
        CompletableFuture.runAsync(
            () -> reports(Optional.of(ledger(9, 5))),
            CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS));

    assertThat(Ledger.readNewest(flink, "a", LONG)).hasValue(ledger(9, 5));
    assertThat(collects).isCompleted();
  }

  @Test
  void anOlderLedgerIsBetterThanNone() throws Exception {
    completed(9);
    reports(Optional.of(ledger(3, 0)));

    assertThat(Ledger.readNewest(flink, "a", Duration.ofMillis(600))).hasValue(ledger(3, 0));
  }

  @Test
  void aBatchJobHasNoLedger() throws Exception {
    cluster.answers("/jobs/a", "{\"vertices\":[{\"id\":\"v\",\"name\":\"other\"}]}");
    cluster.lacks("/jobs/a/checkpoints", "Checkpointing has not been enabled.");

    assertThat(Ledger.readNewest(flink, "a", LONG)).isEmpty();
  }

  @Test
  void aJobWithoutALedgerOrACheckpointIsNotWaitedFor() throws Exception {
    completed(0);
    reports(Optional.empty());
    assertThat(Ledger.readNewest(flink, "a", LONG)).isEmpty();

    completed(9);
    cluster.answers("/jobs/a", "{\"vertices\":[{\"id\":\"v\",\"name\":\"other\"}]}");
    assertThat(Ledger.readNewest(flink, "a", LONG)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"mode\":\"exactly_once\",\"unaligned_checkpoints\":true}",
        "{\"mode\":\"at_least_once\",\"unaligned_checkpoints\":false}"
      })
  void aJobWhoseCheckpointsAllowNoLedgerIsNotWaitedFor(String settings) throws Exception {
    completed(9);
    cluster.answers("/jobs/a/checkpoints/config", settings);
    reports(Optional.empty());

    Instant begin = Instant.now();
    assertThat(Ledger.readNewest(flink, "a", LONG)).isEmpty();
    assertThat(Duration.between(begin, Instant.now())).isLessThan(LONG.dividedBy(2));
  }

  @Test
  void aLedgerThatTheClusterHasNotCollectedYetIsWaitedFor() throws Exception {
    completed(9);
    reports(Optional.empty());
    CompletableFuture<Void> collects =
        CompletableFuture.runAsync(
            () -> reports(Optional.of(ledger(9, 0))),
            CompletableFuture.delayedExecutor(700, TimeUnit.MILLISECONDS));

    assertThat(Ledger.readNewest(flink, "a", LONG)).hasValue(ledger(9, 0));
    assertThat(collects).isCompleted();
  }

  @Test
  void theReadmeHasTheSumOfItsText() throws IOException {
    String sum = ledger(9, 0).text().split(";", -1)[0].replaceAll(" [0-9,]+", "");

    assertThat(Files.readString(Path.of("..", "README.md")).replaceAll("\\s+", " "))
        .contains("records " + sum + " ");
  }

  private void completed(long checkpoint) {
    cluster.answers(
        "/jobs/a/checkpoints/config",
        "{\"mode\":\"exactly_once\",\"unaligned_checkpoints\":false}");
    cluster.answers(
        "/jobs/a/checkpoints", "{\"latest\":{\"completed\":{\"id\":%d}}}".formatted(checkpoint));
    cluster.answers("/jobs/a", "{\"vertices\":[{\"id\":\"v\",\"name\":\"ledger\"}]}");
  }

  private void reports(Optional<Ledger> ledger) {
    String names =
        Stream.of(
                "checkpoint",
                "in",
                "stored",
                "duplicates",
                "erased",
                "rejected",
                "notRecords",
                "waiting",
                "unaccounted")
            .map(name -> "ledger.ledger." + name)
            .collect(Collectors.joining(","));
    cluster.answers(
        "/jobs/a/vertices/v/subtasks/metrics?get=" + names + "&agg=sum",
        ledger.map(LedgerTest::json).orElse("[]"));
  }

  private static String json(Ledger it) {
    return Stream.of(
            metric("checkpoint", it.checkpoint()),
            metric("in", it.in()),
            metric("stored", it.stored()),
            metric("duplicates", it.duplicates()),
            metric("erased", it.erased()),
            metric("rejected", it.rejected()),
            metric("notRecords", it.notRecords()),
            metric("waiting", it.waiting()),
            metric("unaccounted", it.unaccounted()))
        .collect(Collectors.joining(",", "[", "]"));
  }

  private static String metric(String name, long value) {
    return "{\"id\":\"ledger.ledger.%s\",\"sum\":%d.0}".formatted(name, value);
  }

  private static Ledger ledger(long checkpoint, long unaccounted) {
    return new Ledger(checkpoint, 34, 16, 8, 1, 2, 4, 3 - unaccounted, unaccounted);
  }
}
