package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.Installation;
import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.TestStack;
import io.lastfix.upgrade.ChangedLocationJob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.flink.api.common.JobID;
import org.apache.flink.runtime.scheduler.stopwithsavepoint.StopWithSavepointStoppingException;
import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Jobs that go on from savepoints: of another parallelism, of changed code, of releases. */
class UpgradeIT {
  private static final long SEED = 20261125;

  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(100, 500);

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void nothingIsLostOrDoubledOverAnUpgradeToChangedCodeAnotherParallelismAndAnotherBackend()
      throws Exception {
    Scenario scenario = new Scenario(SEED, Chaos.shortOrLong(4_500, 100_000));
    // Without those that would wait for ever: nothing is drained while a record waits.
    List<Message> messages =
        scenario.withoutUnknownCells(
            Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList());
    List<TowerFact> towers = scenario.allTowers();
    Path changedJar = ChangedJar.make(directory);
    try (LocationRun run = new LocationRun(stack, directory, "upgrade", "locate.max-wait=10 min")) {
      run.publish(scenario.towers());
      String first = run.submit(Installation.jobJar(), null, "job.parallelism=2");
      try (Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        awaitWaiting(run, first);
        Instant stopped = Instant.now();
        String savepoint = stop(first);
        String second = run.submit(changedJar, savepoint, "job.parallelism=3");
        Duration outage = Duration.between(stopped, Instant.now());
        assertThat(run.metrics(second).waiting()).as("records that still wait").isPositive();
        awaitCatalogCounted(second, scenario.towers());
        // Its group is new, and nothing has come into the catalogue since the savepoint.
        await("the restored job has committed the catalogue's offsets in its own group")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.lagOfCells(run.catalogGroup(second)) == 0);

        String onRocksDb =
            run.submit(
                changedJar,
                stop(second),
                "job.parallelism=4",
                "flink.state.backend.type=rocksdb",
                "flink.execution.checkpointing.incremental=true");
        run.publish(scenario.lateTowers());
        load.finish();
        run.drain(onRocksDb);
        run.assertHolds(new Oracle(towers), messages);
        run.assertRejected(messages, run.distinctRejected());
        run.assertLedgerBalances(onRocksDb, messages.stream().mapToLong(Message::records).sum());
        FaultReport.of("Upgrade to changed code, parallelism 2 to 3, then to RocksDB at 4")
            .count(messages.stream().mapToLong(Message::records).sum(), "records")
            .time("outage of the first step", outage)
            .print();
      }
    }
  }

  private static void awaitWaiting(LocationRun run, String job) {
    await("records wait for their cell")
        .atMost(LocationRun.LIMIT)
        .until(() -> run.metrics(job).waiting() > 0);
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  /** The operator that only the changed code has reads the catalogue from its beginning. */
  private static void awaitCatalogCounted(String job, List<TowerFact> towers) {
    FlinkRest flink = stack.flink();
    double messages = towers.stream().map(TowerFact::cell).distinct().count();
    await("the added operator has counted the catalogue")
        .atMost(LocationRun.LIMIT)
        .until(
            () ->
                flink
                    .metrics(job, ChangedLocationJob.COUNT_METRIC::equals, Aggregation.SUM)
                    .containsValue(messages));
  }

  @Test
  void theSavepointOfAJobThatFailedOnceItWasTakenIsReadFromFlinksText() {
    Throwable failure =
        new StopWithSavepointStoppingException("file:/a b/savepoint-1", new JobID());

    assertThat(StopWithSavepoint.savepointIn(ExceptionUtils.stringifyException(failure)))
        .hasValue("file:/a b/savepoint-1");
  }

  @Test
  void theFirstReleaseHasASavepointToRestore() {
    assertThat(SavepointFixture.releases()).contains("1.0.0");
  }

  @ParameterizedTest
  @MethodSource("releases")
  void afterAnUpgradeFromAReleaseAndAReplayOfEverythingNothingIsLostDoubledOrChanged(String release)
      throws Exception {
    SavepointFixture fixture = SavepointFixture.of(release);
    try (LocationRun run = fixture.run(stack, directory)) {
      // As many messages as the savepoint's offsets say, but others: what is before these offsets
      // must not be read.
      run.send(fixture.others(fixture.storedMessages().size() + fixture.waitingMessages().size()));
      run.publish(fixture.otherTowers());
      fixture
          .collections()
          .forEach(
              (name, documents) ->
                  documents.forEach(run.database().getCollection(name)::insertOne));
      String job = fixture.restore(run, stack, directory);
      assertThat(run.metrics(job).waiting())
          .as("records that the savepoint holds")
          .isEqualTo(fixture.waitingMessages().size());

      run.publish(List.of(fixture.lateTower()));
      run.send(fixture.messagesAfter());
      run.drain(job);

      List<Message> all =
          Stream.of(fixture.storedMessages(), fixture.waitingMessages(), fixture.messagesAfter())
              .flatMap(List::stream)
              .toList();
      Oracle oracle = new Oracle(fixture.towers());
      run.assertHolds(oracle, all);
      run.assertRejected(all, run.distinctRejected());
      run.assertLedgerBalances(job, all.size());

      run.send(all);
      run.drain(job);
      run.assertHolds(oracle, all);
    }
  }

  private static List<String> releases() {
    return SavepointFixture.releases();
  }
}
