package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.Filters;
import io.lastfix.it.harness.Hang;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.stream.Stream;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix forget} on a sharded cluster whose chunks were moved: the documents that a move
 * leaves on the donor are the user's, too, and no router shows them.
 */
@NeedsMongos
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ShardedForgetIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String DATABASE = "forget";
  private static final String LAST_KNOWN = "last_known_location";
  private static final int SHARDS = 2;
  private static final int USERS = 60;
  private static final int RECORDS_PER_USER = 20;

  /** Longer than the first attempt takes, shorter than anybody's patience. */
  private static final Duration ORPHAN_CLEANUP_DELAY = Duration.ofSeconds(30);

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;
  private static MongoClient router;
  private static LastfixProcess lastfix;

  @BeforeAll
  static void startServers() throws Exception {
    stack = TestStack.startShardedMongoAndKafka(directory, SHARDS);
    cluster = new ShardedCluster(stack.sharded());
    cluster.stopBalancer();
    router = MongoClients.create(stack.mongoUri());
    lastfix =
        new LastfixProcess(
            Files.createDirectories(directory.resolve("home")),
            Files.createDirectories(directory.resolve("output")));
    run("provision", "--no-roles").mustExitWith(0);
  }

  @AfterAll
  static void stopServers() {
    if (router != null) {
      router.close();
    }
    if (cluster != null) {
      cluster.close();
    }
    if (stack != null) {
      stack.close();
    }
  }

  @Test
  @Order(1)
  void forgetEndsOnlyWhenTheShardsThemselvesHaveNothingOfTheUser() throws Exception {
    cluster.setOrphanCleanupDelay(ORPHAN_CLEANUP_DELAY);
    store("moved");
    for (String collection : collections()) {
      cluster.moveAllChunks(DATABASE + "." + collection, 0, 1);
    }
    String user = userOnShard(0, "moved");

    Result early = forget(user, "--shard-time-limit", "0").mustExitWith(1);

    assertThat(early.err())
        .contains("failed while waiting for the shards: shard " + stack.sharded().shard(0).name())
        .contains("orphanCleanupDelaySecs")
        .contains("Running the command again is safe");
    assertThat(audits(Filters.exists("deleted"))).isEqualTo(1);
    assertThat(audits(Filters.exists("finished"))).isZero();

    // The first attempt has deleted all documents that a router shows.
    JsonNode done = forget(user).mustExitWith(3).json();

    assertThat(done.path("shards")).hasSize(SHARDS);
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(documentsOnShard(shard, user)).as("documents on shard %d", shard).isZero();
    }
    assertThat(audits(Filters.exists("finished"))).isEqualTo(1);
  }

  @Test
  @Order(2)
  void aForgettingThatAHungShardBreaksOffIsCompletedByTheNext() throws Exception {
    store("hung");
    String user = userOnShard(1, "hung");
    ServerProcess primary = cluster.awaitPrimary(1);
    long finished = audits(Filters.exists("finished"));

    Hang.begin(primary);
    try {
      Result broken = forget(user, "--time-limit", "5").mustExitWith(1);
      assertThat(broken.err())
          .contains("the user is not erased: failed while")
          .contains("Running the command again is safe");
    } finally {
      Hang.end(primary);
    }

    assertThat(forget(user).exitCode())
        .as("erased now, or by the shard once it resumed")
        .isIn(0, 3);
    for (int shard = 0; shard < SHARDS; shard++) {
      assertThat(documentsOnShard(shard, user)).as("documents on shard %d", shard).isZero();
    }
    assertThat(audits(Filters.exists("finished"))).isEqualTo(finished + 1);
  }

  /** History's partitions and Last Known Location. */
  private static List<String> collections() {
    List<String> names = router.getDatabase(DATABASE).listCollectionNames().into(new ArrayList<>());
    names.removeIf(name -> !name.startsWith("history_") && !name.equals(LAST_KNOWN));
    return names;
  }

  /** Documents as the job writes them, but for the {@code _id} of History. */
  private static void store(String prefix) {
    String partition =
        collections().stream()
            .filter(name -> name.startsWith("history_"))
            .sorted()
            .findFirst()
            .get();
    Instant now = Instant.now();
    List<Document> history = new ArrayList<>();
    List<Document> lastKnown = new ArrayList<>();
    for (int user = 0; user < USERS; user++) {
      for (int i = 0; i < RECORDS_PER_USER; i++) {
        history.add(
            new Document("user", prefix + user)
                .append("ts", Date.from(now.minusSeconds(i)))
                .append("cell", "1-2-3-4"));
      }
      lastKnown.add(
          new Document("_id", prefix + user)
              .append("last", new Document("ts", Date.from(now)).append("cell", "1-2-3-4")));
    }
    router.getDatabase(DATABASE).getCollection(partition).insertMany(history);
    router.getDatabase(DATABASE).getCollection(LAST_KNOWN).insertMany(lastKnown);
  }

  /** One of whom that shard has documents, its own or left by a move. */
  private static String userOnShard(int shard, String prefix) {
    return Stream.iterate(0, i -> i + 1)
        .limit(USERS)
        .map(i -> prefix + i)
        .filter(user -> documentsOnShard(shard, user) > 0)
        .findFirst()
        .orElseThrow();
  }

  private static long documentsOnShard(int shard, String user) {
    long documents = cluster.countOnShard(shard, DATABASE, LAST_KNOWN, Filters.eq("_id", user));
    for (String name : collections()) {
      documents += cluster.countOnShard(shard, DATABASE, name, Filters.eq("user", user));
    }
    return documents;
  }

  private static long audits(Bson filter) {
    return router.getDatabase(DATABASE).getCollection("forgotten_audit").countDocuments(filter);
  }

  private static Result forget(String user, String... more) throws Exception {
    return run(
        Stream.concat(Stream.of("forget", user, "--yes", "--no-job", "--json"), Stream.of(more))
            .toArray(String[]::new));
  }

  private static Result run(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(
        List.of(
            "--set", "mongo.uri=" + stack.mongoUri(),
            "--set", "kafka.bootstrap-servers=" + stack.kafka(),
            "--set", "mongo.database=" + DATABASE,
            // What is stored is of now.
            "--set", "parse.max-timestamp-ahead=1 min"));
    return lastfix.run(LIMIT, all.toArray(String[]::new));
  }
}
