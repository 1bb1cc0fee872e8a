package io.lastfix.it.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.FlinkRest.Aggregation;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.Hang;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.StorageWatch;
import io.lastfix.it.harness.TestStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Does harm to a replica set of three while the job writes to it, and compares both collections
 * with the {@link Oracle}. The job has to ride out each of these without a restart.
 */
class MongoFaultsIT {
  private static final long SEED = 20261122;
  private static final int SIGHTINGS = Chaos.shortOrLong(20_000, 200_000);
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(600, 1_500);
  private static final int USERS = 2_000;

  /** Messages sent before the harm begins, and after it ends. */
  private static final int AFTERWARDS = 2 * MESSAGES_PER_SECOND;

  /** Where a test sets it; the write concern has half of it. */
  private static final Duration MONGO_TIMEOUT = Duration.ofSeconds(4);

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;
  private static ReplicaSet members;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory, 3, 4);
    members = new ReplicaSet(stack.mongo());
  }

  @AfterEach
  void mend() {
    members.mend();
  }

  /**
   * With bulks in flight, which it has taken and no other member has: it has to take them back when
   * it is started again.
   */
  @Test
  void nothingIsLostOrDoubledWhenThePrimaryIsKilled() throws Exception {
    underLoad(
        "Primary killed",
        (run, load) -> {
          int primary = members.awaitPrimary();
          letOnlyThePrimaryTakeWrites(primary, load);
          assertRecordsComeIn(run, load);
          long rolledBackBefore = ReplicaSet.documentsRolledBack(directory);
          members.process(primary).kill();
          members.setLagging(members.others(primary), false);
          members.awaitPrimaryOtherThan(primary);
          load.awaitStored(load.stored() + AFTERWARDS);
          members.process(primary).start();
          awaitRolledBack(rolledBackBefore);
          members.awaitSecondary(primary);
        });
  }

  private static void letOnlyThePrimaryTakeWrites(int primary, Load load) {
    members.setLagging(members.others(primary), true);
    members.awaitWritesOnlyOn(primary);
    load.awaitStored(load.stored() + AFTERWARDS / 4);
  }

  private static void awaitRolledBack(long before) {
    await("the stale primary takes back what no majority had")
        .atMost(LocationRun.LIMIT)
        .until(() -> ReplicaSet.documentsRolledBack(directory) > before);
  }

  /** Else the harm would be done to servers that nobody needs. */
  private static void assertRecordsComeIn(LocationRun run, Load load) throws IOException {
    assertThat(load.stored()).as("messages sent").isLessThan(load.size());
    assertThat(run.lag()).as("messages that no checkpoint covers").isPositive();
  }

  @Test
  void nothingIsLostOrDoubledWhenThePrimaryStepsDown() throws Exception {
    underLoad(
        "Primary stepped down",
        (run, load) -> {
          int primary = members.awaitPrimary();
          assertRecordsComeIn(run, load);
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
        (run, load) -> {
          int primary = members.awaitPrimary();
          letOnlyThePrimaryTakeWrites(primary, load);
          assertRecordsComeIn(run, load);
          long rolledBackBefore = ReplicaSet.documentsRolledBack(directory);
          Instant began = Instant.now();
          Hang.begin(members.process(primary));
          members.setLagging(members.others(primary), false);
          members.awaitPrimaryOtherThan(primary);
          Chaos.last(began, hang);
          Hang.end(members.process(primary));
          awaitRolledBack(rolledBackBefore);
          members.awaitSecondary(primary);
        });
  }

  /**
   * The primary has taken the bulks; what they wait for is the other members. To write them again
   * would only give those more to fetch.
   */
  @Test
  void noBulkIsWrittenAgainWhileTheOtherMembersLag() throws Exception {
    Duration lag = Duration.ofSeconds(Chaos.shortOrLong(16, 120));
    underLoad(
        "Replication stood still for %d s".formatted(lag.toSeconds()),
        (run, load) -> {
          int primary = members.awaitPrimary();
          members.setLagging(members.others(primary), true);
          // All places in flight are taken, and no checkpoint can complete: nothing new is sent.
          Chaos.last(Instant.now(), MONGO_TIMEOUT.multipliedBy(2));
          long before = members.writesTaken(primary);
          Chaos.last(Instant.now(), lag);
          long again = members.writesTaken(primary) - before;
          members.setLagging(members.others(primary), false);
          System.out.printf(
              "[fault] writes that the primary took while replication stood still: %,d%n", again);
          // Each bulk in flight waits by one statement that changes nothing.
          long waits = 4L * (4 + 1) * (lag.dividedBy(MONGO_TIMEOUT.dividedBy(2)) + 1);
          assertThat(again).as("writes while replication stood still").isLessThanOrEqualTo(waits);
          load.awaitStored(load.stored() + AFTERWARDS);
        },
        "mongo.timeout=%d s".formatted(MONGO_TIMEOUT.toSeconds()));
  }

  /** What is done to the servers while records come in. */
  private interface Harm {
    void doIt(LocationRun run, Load load) throws Exception;
  }

  private static void underLoad(String fault, Harm harm, String... settings) throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS, USERS);
    List<Message> messages = scenario.messages();
    long rolledBackBefore = ReplicaSet.documentsRolledBack(directory);
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor(fault),
            Stream.concat(Stream.of("job.parallelism=4"), Stream.of(settings))
                .toArray(String[]::new))) {
      String job =
          run.submitAndStore(scenario.allTowers(), messages.subList(0, MESSAGES_PER_SECOND));
      try (StorageWatch watch = StorageWatch.start(run);
          Load load = Load.startAfterFirstSecond(run, messages, MESSAGES_PER_SECOND)) {
        load.awaitStored(AFTERWARDS);
        harm.doIt(run, load);
        load.finish();
        run.drain(job);
        Duration longestPause = watch.longestPause();
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.rejected());
        long records = run.assertCountsReconcile(job, messages);
        assertThat(run.restarts(job)).as("restarts of the job").isZero();
        FaultReport.of(fault)
            .count(records, "records")
            .time("longest pause", longestPause)
            .count(run.restarts(job), "restarts")
            .count(
                run.historyDocuments() - run.metrics(job).historyInserted(), "duplicates absorbed")
            .count(ReplicaSet.documentsRolledBack(directory) - rolledBackBefore, "rolled back")
            .count(writesTriedAgain(job), "writes tried again by the job")
            .print();
      }
    }
  }

  /** All of them: the driver of the sinks repeats none. */
  private static long writesTriedAgain(String job) throws IOException {
    return stack
        .flink()
        .metrics(job, id -> id.endsWith("Writer.retried"), Aggregation.SUM)
        .values()
        .stream()
        .mapToLong(Double::longValue)
        .sum();
  }
}
