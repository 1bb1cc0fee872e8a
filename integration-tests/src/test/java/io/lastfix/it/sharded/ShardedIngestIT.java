package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The job on a sharded cluster where nothing is made before: it provisions what it needs, writes
 * through two routers, and both collections hold what the {@link Oracle} says, with each of
 * History's shard keys.
 */
@NeedsMongos
class ShardedIngestIT {
  private static final long SEED = 20261124;
  private static final int SIGHTINGS = Chaos.shortOrLong(10_000, 200_000);
  private static final int USERS = 2_000;
  private static final int SHARDS = 3;

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startSharded(directory, SHARDS, 1, 1, 4);
    cluster = new ShardedCluster(stack.sharded());
  }

  @AfterAll
  static void stopServers() {
    if (cluster != null) {
      cluster.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @ParameterizedTest(name = "history.shard-key {0}")
  @CsvSource({"user-hashed,hashed", "user,1"})
  void fromNothingBothCollectionsBecomeWhatTheOracleSaysAndAReplayChangesNothing(
      String shardKey, String userInKey) throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS, USERS);
    List<Message> messages = scenario.messages();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor("ingest " + shardKey),
            "history.period=DAY",
            "history.shard-key=" + shardKey,
            "job.parallelism=4")) {
      run.publish(scenario.allTowers());
      String job = run.submit();
      run.send(messages);
      run.drain(job);

      Oracle oracle = new Oracle(fact -> scenario.allTowers(), "DAY");
      run.assertHolds(oracle, messages);
      run.assertRejected(messages, run.rejected());
      long records = run.assertCountsReconcile(job, messages);
      assertSharded(run, userInKey);
      report(run, shardKey, records);

      run.cancel(job);
      String again = run.submit("source.start=earliest");
      run.drain(again);
      run.assertHolds(oracle, messages);
      LocationMetrics replay = run.metrics(again);
      assertThat(replay.historyInserted()).as("documents that the replay added").isZero();
      assertThat(replay.historyDuplicates()).as("records that were there").isPositive();
    }
  }

  private static void assertSharded(LocationRun run, String userInKey) {
    String database = run.database().getName();
    assertThat(cluster.shardKey(database + "." + run.config().lastKnownLocation().collection()))
        .contains(new Document("_id", "hashed"));
    Document historyKey =
        userInKey.equals("hashed")
            ? new Document("user", "hashed").append("ts", 1)
            : new Document("user", 1).append("ts", 1);
    assertThat(partitions(run))
        .isNotEmpty()
        .allSatisfy(
            partition ->
                assertThat(cluster.shardKey(database + "." + partition)).contains(historyKey));
  }

  private static List<String> partitions(LocationRun run) {
    List<String> names = run.database().listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> !name.startsWith(run.config().history().collectionPrefix() + "_"));
    names.sort(null);
    return names;
  }

  /** Prints the balance; that of the hashed keys is also asserted. */
  private static void report(LocationRun run, String shardKey, long records) {
    String database = run.database().getName();
    List<String> collections = new ArrayList<>(partitions(run));
    collections.add(run.config().lastKnownLocation().collection());
    System.out.printf("[sharded] ingest, History by %s: %,d records%n", shardKey, records);
    for (String collection : collections) {
      Map<String, Long> chunks = cluster.chunks(database + "." + collection);
      Map<String, Long> documents = cluster.documents(database, collection);
      System.out.printf("[sharded]   %s: chunks %s, documents %s%n", collection, chunks, documents);
      if (!collection.startsWith("history_") || shardKey.equals("user-hashed")) {
        long all = documents.values().stream().mapToLong(Long::longValue).sum();
        assertThat(documents)
            .as("shards that %s is on", collection)
            .hasSize(SHARDS)
            .allSatisfy((shard, count) -> assertThat(count).as(shard).isBetween(all / 5, all / 2));
      }
    }
  }
}
