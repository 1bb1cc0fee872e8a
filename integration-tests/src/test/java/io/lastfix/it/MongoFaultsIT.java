package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.Scenario.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does harm to a replica set of three while the job writes to it, and compares both collections
 * with the {@link Oracle}. The job has to ride out each of these without a restart.
 */
class MongoFaultsIT {
  private static final long SEED = 20261122;
  private static final int SIGHTINGS = Chaos.shortOrLong(30_000, 200_000);
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(600, 1_500);
  private static final int USERS = 2_000;

  /** Messages sent before the harm begins, and after it ends. */
  private static final int AFTERWARDS = 2 * MESSAGES_PER_SECOND;

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ReplicaSet members;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory, 3, 1, 4);
    members = new ReplicaSet(stack.mongo());
  }

  @AfterAll
  static void stopServers() {
    if (stack != null) {
      stack.close();
    }
  }

  @AfterEach
  void mend() {
    members.mend();
  }

  @Test
  void nothingIsLostOrDoubledWhenThePrimaryIsKilled() throws Exception {
    underLoad(
        "Primary killed",
        load -> {
          int primary = members.awaitPrimary();
          members.process(primary).kill();
          members.awaitPrimaryOtherThan(primary);
          load.awaitStored(load.stored() + AFTERWARDS);
          members.process(primary).start();
          members.awaitSecondary(primary);
        });
  }

  @Test
  void nothingIsLostOrDoubledWhenThePrimaryStepsDown() throws Exception {
    underLoad(
        "Primary stepped down",
        load -> {
          int primary = members.awaitPrimary();
          members.stepDown(primary);
          members.awaitPrimaryOtherThan(primary);
          load.awaitStored(load.stored() + AFTERWARDS);
        });
  }

  /**
   * Before it hangs the primary takes writes that no other member gets: it has to take them back
   * when it comes back and finds another primary. The job was never told that they are stored.
   */
  @Test
  void whatAHangingPrimaryTakesBackAsAStaleOneIsWrittenAgain() throws Exception {
    Duration hang = Duration.ofSeconds(Chaos.shortOrLong(14, 60));
    underLoad(
        "Primary hung for %d s, then stale".formatted(hang.toSeconds()),
        load -> {
          int primary = members.awaitPrimary();
          members.setLagging(members.others(primary), true);
          members.awaitWritesOnlyOn(primary);
          load.awaitStored(load.stored() + AFTERWARDS / 4);
          Instant began = Instant.now();
          members.process(primary).suspend();
          members.setLagging(members.others(primary), false);
          members.awaitPrimaryOtherThan(primary);
          Chaos.last(began, hang);
          members.process(primary).resume();
          await("the stale primary takes back what no majority had")
              .atMost(LocationRun.LIMIT)
              .until(() -> ReplicaSet.documentsRolledBack(directory) > 0);
          members.awaitSecondary(primary);
        });
  }

  /** What is done to the servers while records come in. */
  private interface Harm {
    void doIt(Load load) throws Exception;
  }

  private static void underLoad(String fault, Harm harm) throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS, USERS);
    List<Message> messages = scenario.messages();
    long rolledBackBefore = ReplicaSet.documentsRolledBack(directory);
    try (LocationRun run =
        new LocationRun(stack, directory, LocationRun.nameFor(fault), "job.parallelism=4")) {
      run.publish(scenario.allTowers());
      String job = run.submitAndStore(messages.subList(0, MESSAGES_PER_SECOND));
      try (StorageWatch watch = StorageWatch.start(run);
          Load load =
              Load.start(
                  run,
                  messages.subList(MESSAGES_PER_SECOND, messages.size()),
                  MESSAGES_PER_SECOND)) {
        load.awaitStored(AFTERWARDS);
        harm.doIt(load);
        load.finish();
        run.drain(job);
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.rejected());
        long records = run.assertCountsReconcile(job, messages);
        assertThat(run.restarts(job)).as("restarts of the job").isZero();
        FaultReport.of(fault)
            .count(records, "records")
            .time("longest pause", watch.longestPause())
            .count(run.restarts(job), "restarts")
            .count(
                run.historyDocuments() - run.metrics(job).historyInserted(), "duplicates absorbed")
            .count(ReplicaSet.documentsRolledBack(directory) - rolledBackBefore, "rolled back")
            .print();
      }
    }
  }
}
