package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.IntStream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Retention's drop of a partition that all shards have, while they take what the job stores. */
@NeedsMongos
class ShardedRetentionIT {
  private static final long SEED = 20261201;
  private static final int SIGHTINGS = Chaos.shortOrLong(10_000, 100_000);
  private static final int MESSAGES_PER_SECOND = 400;
  private static final int USERS = 500;
  private static final int OLD_DOCUMENTS = 5_000;
  private static final String EXPIRED = "history_2020_02";
  private static final Instant LEAP_DAY = Instant.parse("2020-02-29T12:00:00Z");

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startSharded(directory, 2, 1, 1, 4);
  }

  @AfterAll
  static void stopServers() {
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  void anExpiredPartitionIsDroppedFromAllShardsWhileRecordsComeIn() throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS, USERS);
    List<Message> messages = scenario.messages();
    try (LocationRun run =
            new LocationRun(stack, directory, "sharded-retention", "job.parallelism=4");
        ShardedCluster cluster = new ShardedCluster(stack.sharded())) {
      run.publish(scenario.allTowers());
      storeExpired(run);
      String namespace = run.database().getName() + "." + EXPIRED;
      try (Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        // The scenario's records are of 2025 and 2026.
        String job = run.submit("history.retention=1500 d");
        await("the expired partition is dropped")
            .atMost(LocationRun.LIMIT)
            .until(() -> !run.historyCollections().contains(EXPIRED));
        load.finish();
        run.drain(job);

        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertCountsReconcile(job, messages);
        assertThat(run.restarts(job)).as("restarts of the job").isZero();
      }
      assertThat(cluster.shardKey(namespace)).isEmpty();
      for (int shard = 0; shard < 2; shard++) {
        assertThat(cluster.countOnShard(shard, run.database().getName(), EXPIRED, new Document()))
            .as("documents left on shard %d", shard)
            .isZero();
      }
    }
  }

  /** A partition as a job without a retention has left it. */
  private static void storeExpired(LocationRun run) throws Exception {
    List<String> arguments =
        new ArrayList<>(
            List.of("partitions", "create", "--from", "2020-02-01", "--to", "2020-02-02"));
    run.settings().forEach(setting -> arguments.addAll(List.of("--set", setting)));
    new LastfixProcess(directory.resolve("home"), directory)
        .run(LocationRun.LIMIT, arguments.toArray(String[]::new))
        .mustExitWith(0);
    run.database()
        .getCollection(EXPIRED)
        .insertMany(
            IntStream.range(0, OLD_DOCUMENTS)
                .mapToObj(
                    i ->
                        new Document("user", "old" + i)
                            .append("ts", Date.from(LEAP_DAY.plusSeconds(i)))
                            .append("cell", "1-2-3-4"))
                .toList());
  }
}
