package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.FaultReport;
import io.lastfix.it.harness.Hang;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.StorageWatch;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import io.lastfix.local.ShardedMongo;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * Moves chunks, kills a shard's primary, lets one hang, kills a router and adds a shard while the
 * job writes, with both of History's shard keys, and compares both collections with the {@link
 * Oracle}. The job has to ride out each of these without a restart.
 */
@NeedsMongos
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardedFaultsIT {
  private static final long SEED = 20261125;
  private static final int SIGHTINGS = Chaos.shortOrLong(20_000, 200_000);
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(400, 1_500);
  private static final int USERS = 2_000;
  private static final int MOVES = Chaos.shortOrLong(12, 200);
  private static final int SHARDS = 2;

  /** A move waits for the one before it, and for a busy machine. */
  private static final Duration MOVING_LIMIT = Duration.ofMinutes(Chaos.shortOrLong(5, 30));

  /** Messages sent before the harm begins, and after it ends. */
  private static final int AFTERWARDS = 2 * MESSAGES_PER_SECOND;

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startSharded(directory, SHARDS, 3, 1, 4);
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

  @Test
  @Order(1)
  void nothingIsLostOrDoubledWhileChunksMove() throws Exception {
    cluster.stopBalancer();
    underLoad(
        "chunks moved",
        (run, load, report) -> {
          int moved = moveChunks(run, load, MOVES, load.size());
          report.count(moved, "chunks moved");
          return () -> assertThat(moved).as("chunks moved while records came in").isEqualTo(MOVES);
        });
  }

  /**
   * Moves chunks until the time is over.
   *
   * @param messages that are sent at the end: each move lets its share of them go, so a slow
   *     machine finds some left to send
   * @return how many were moved
   */
  private static int moveChunks(LocationRun run, Load load, int moves, int messages) {
    Random random = new Random(SEED);
    List<String> namespaces = namespaces(run);
    long deadline = System.nanoTime() + MOVING_LIMIT.toNanos();
    int moved = 0;
    while (moved < moves && System.nanoTime() < deadline) {
      load.sendOnly((int) ((moved + 1L) * messages / moves));
      if (cluster.moveAnyChunk(namespaces.get(random.nextInt(namespaces.size())), random)) {
        moved++;
      }
    }
    return moved;
  }

  /** What the run has written to: partitions and Last Known Location. */
  private static List<String> namespaces(LocationRun run) {
    List<String> names = new ArrayList<>();
    for (Document found :
        run.database().listCollections().filter(new Document("type", "collection"))) {
      String name = found.getString("name");
      if (!name.startsWith("system.")
          && run.database().getCollection(name).estimatedDocumentCount() > 0) {
        names.add(run.database().getName() + "." + name);
      }
    }
    return names;
  }

  @Test
  @Order(2)
  void nothingIsLostOrDoubledWhenAShardsPrimaryIsKilled() throws Exception {
    underLoad(
        "a shard's primary killed",
        (run, load, report) -> {
          ServerProcess primary = cluster.awaitPrimary(0);
          primary.kill();
          ServerProcess next = cluster.awaitPrimary(0);
          assertThat(next.name()).isNotEqualTo(primary.name());
          load.awaitStored(load.stored() + AFTERWARDS);
          primary.start();
          return ShardedFaultsIT::nothingMore;
        });
  }

  @Test
  @Order(3)
  void nothingIsLostOrDoubledWhenARouterIsKilled() throws Exception {
    underLoad(
        "a router killed",
        (run, load, report) -> {
          ServerProcess router =
              stack.sharded().processes().stream()
                  .filter(it -> it.name().startsWith(ShardedMongo.ROUTER_PREFIX))
                  .findFirst()
                  .orElseThrow();
          router.kill();
          load.awaitStored(load.stored() + AFTERWARDS);
          router.start();
          return ShardedFaultsIT::nothingMore;
        });
  }

  @Test
  @Order(4)
  void nothingIsLostOrDoubledWhenAShardsPrimaryHangs() throws Exception {
    underLoad(
        "a shard's primary hung",
        (run, load, report) -> {
          ServerProcess primary = cluster.awaitPrimary(0);
          Hang.begin(primary);
          try {
            ServerProcess next = cluster.awaitPrimary(0);
            assertThat(next.name()).isNotEqualTo(primary.name());
            load.awaitStored(load.stored() + AFTERWARDS);
          } finally {
            Hang.end(primary);
          }
          return ShardedFaultsIT::nothingMore;
        });
  }

  @Test
  @Order(5)
  void withTheKeyUserNothingIsLostOrDoubledWhileChunksMoveAndAPrimaryIsKilled() throws Exception {
    underLoad(
        "key user, chunks moved and a primary killed",
        (run, load, report) -> {
          int moved = moveChunks(run, load, MOVES / 2, load.size() / 2);
          ServerProcess primary = cluster.awaitPrimary(1);
          primary.kill();
          ServerProcess next = cluster.awaitPrimary(1);
          assertThat(next.name()).isNotEqualTo(primary.name());
          load.sendOnly(load.size());
          load.awaitStored(load.stored() + AFTERWARDS);
          primary.start();
          report.count(moved, "chunks moved");
          return () ->
              assertThat(moved).as("chunks moved while records came in").isEqualTo(MOVES / 2);
        },
        "history.shard-key=user");
  }

  /** Last, because the cluster then has one more. */
  @Test
  @Order(6)
  void nothingIsLostOrDoubledWhenAShardIsAddedAndTakesItsShare() throws Exception {
    underLoad(
        "a shard added",
        (run, load, report) -> {
          stack.sharded().addShard(LocationRun.LIMIT);
          assertThat(cluster.shardNames()).hasSize(SHARDS + 1);
          String added = stack.sharded().shard(SHARDS).name();
          String lastKnown =
              run.database().getName() + "." + run.config().lastKnownLocation().collection();
          // A cluster moves chunks of this size by itself only when there is much more in them.
          Random random = new Random(SEED);
          await("the added shard has a chunk")
              .atMost(LocationRun.LIMIT)
              .until(
                  () -> {
                    cluster.moveAnyChunk(lastKnown, random);
                    return cluster.chunks(lastKnown).containsKey(added);
                  });
          load.awaitStored(load.stored() + AFTERWARDS);
          Map<String, Long> documents =
              cluster.documents(
                  run.database().getName(), run.config().lastKnownLocation().collection());
          assertThat(documents.get(added)).as("documents on the added shard").isPositive();
          report.count(documents.get(added), "users on the added shard");
          return ShardedFaultsIT::nothingMore;
        });
  }

  /** For a harm whose own success needs no check. */
  private static void nothingMore() {
    // The data was compared.
  }

  /** What is done to the cluster while records come in. */
  private interface Harm {
    /**
     * Does it.
     *
     * @return what is checked of the harm itself, once the data was compared
     */
    Runnable doIt(LocationRun run, Load load, FaultReport report) throws Exception;
  }

  private static void underLoad(String fault, Harm harm, String... settings) throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS, USERS);
    List<Message> messages = scenario.messages();
    FaultReport report = FaultReport.of("Sharded, " + fault);
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
          Load load =
              Load.start(
                  run,
                  messages.subList(MESSAGES_PER_SECOND, messages.size()),
                  MESSAGES_PER_SECOND)) {
        load.awaitStored(AFTERWARDS);
        assertThat(run.lag()).as("messages that no checkpoint covers").isPositive();
        Runnable afterwards = harm.doIt(run, load, report);
        load.finish();
        run.drain(job);
        Duration longestPause = watch.longestPause();
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.rejected());
        long records = run.assertCountsReconcile(job, messages);
        assertThat(run.restarts(job)).as("restarts of the job").isZero();
        afterwards.run();
        report
            .count(records, "records")
            .time("longest pause", longestPause)
            .count(
                run.historyDocuments() - run.metrics(job).historyInserted(), "duplicates absorbed")
            .print();
      }
    }
  }
}
