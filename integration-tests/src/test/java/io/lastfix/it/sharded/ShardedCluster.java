package io.lastfix.it.sharded;

import static com.mongodb.client.model.Filters.eq;
import static org.awaitility.Awaitility.await;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.local.ServerProcess;
import io.lastfix.local.ShardedMongo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/** What a sharded cluster says of itself, and what a test does to it. */
public final class ShardedCluster implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  /** A chunk that something else is being done to. */
  private static final int CONFLICTING_OPERATION_IN_PROGRESS = 117;

  private static final int OPERATION_FAILED = 96;

  private final ShardedMongo servers;
  private final MongoClient router;

  public ShardedCluster(ShardedMongo servers) {
    this.servers = servers;
    router = MongoClients.create(servers.endpoint());
  }

  /** The key that a collection is sharded on, or nothing where it is not. */
  public Optional<Document> shardKey(String namespace) {
    return Optional.ofNullable(collection(namespace))
        .map(found -> found.get("key", Document.class));
  }

  /** When a collection became sharded, in the cluster's own time. */
  public BsonTimestamp shardedSince(String namespace) {
    Document found = collection(namespace);
    if (found == null) {
      throw new AssertionError(namespace + " is not sharded");
    }
    return found.get("timestamp", BsonTimestamp.class);
  }

  private @Nullable Document collection(String namespace) {
    return config().getCollection("collections").find(eq("_id", namespace)).first();
  }

  private MongoDatabase config() {
    return router.getDatabase("config");
  }

  /** How many chunks each shard has of a sharded collection, by the shard's name. */
  public Map<String, Long> chunks(String namespace) {
    Map<String, Long> byShard = new TreeMap<>();
    for (Document chunk : chunksOf(namespace)) {
      byShard.merge(chunk.getString("shard"), 1L, Long::sum);
    }
    return byShard;
  }

  private List<Document> chunksOf(String namespace) {
    Document found = collection(namespace);
    if (found == null) {
      throw new AssertionError(namespace + " is not sharded");
    }
    return config()
        .getCollection("chunks")
        .find(eq("uuid", found.get("uuid")))
        .into(new ArrayList<>());
  }

  /**
   * How many documents each shard has, by the shard's name. Beside those of its chunks it counts
   * what a move has left, until that is deleted.
   */
  public Map<String, Long> documents(String database, String collection) {
    Document stats = router.getDatabase(database).runCommand(new Document("collStats", collection));
    Map<String, Long> byShard = new TreeMap<>();
    stats
        .get("shards", Document.class)
        .forEach(
            (shard, of) -> byShard.put(shard, ((Number) ((Document) of).get("count")).longValue()));
    return byShard;
  }

  /**
   * Where the first document came to each shard, in the cluster's own time: of clients, not of a
   * chunk's move. Empty for a shard that no client has written to.
   */
  public List<BsonTimestamp> firstInserts(String namespace, int shardCount) {
    List<BsonTimestamp> first = new ArrayList<>();
    Bson inserted =
        new Document("op", "i")
            .append("ns", namespace)
            .append("fromMigrate", new Document("$ne", true));
    for (int shard = 0; shard < shardCount; shard++) {
      try (MongoClient client = MongoClients.create(servers.shard(shard).endpoint())) {
        Document entry =
            client
                .getDatabase("local")
                .getCollection("oplog.rs")
                .find(inserted)
                .sort(new Document("$natural", 1))
                .first();
        if (entry != null) {
          first.add(entry.get("ts", BsonTimestamp.class));
        }
      }
    }
    return first;
  }

  /**
   * How many commands of that kind each router has sent to one shard, to several, to all.
   *
   * @param kind of command, as the routers name it, such as {@code insert}
   */
  public Map<String, Long> hostsTargeted(String kind) {
    Map<String, Long> sum = new TreeMap<>();
    for (String host : servers.routerHosts()) {
      try (MongoClient one = MongoClients.create("mongodb://" + host + "/")) {
        Document counted =
            one.getDatabase("admin")
                .runCommand(new Document("serverStatus", 1))
                .get("shardingStatistics", Document.class)
                .get("numHostsTargeted", Document.class)
                .get(kind, Document.class);
        counted.forEach(
            (reach, count) -> sum.merge(reach, ((Number) count).longValue(), Long::sum));
      }
    }
    return sum;
  }

  /** Which shards a command asks, as {@code explain} says, and how the router merges them. */
  public Document explain(String database, Document command) {
    return router
        .getDatabase(database)
        .runCommand(new Document("explain", command).append("verbosity", "queryPlanner"))
        .get("queryPlanner", Document.class)
        .get("winningPlan", Document.class);
  }

  /** How many shards a winning plan asks. */
  public static int shardsAsked(Document winningPlan) {
    return winningPlan.getList("shards", Document.class).size();
  }

  /** Has nobody but the test move chunks. */
  public void stopBalancer() {
    router.getDatabase("admin").runCommand(new Document("balancerStop", 1));
  }

  /** Has the cluster spread its chunks by itself. */
  public void startBalancer() {
    router.getDatabase("admin").runCommand(new Document("balancerStart", 1));
  }

  /**
   * Moves any chunk of a collection to another shard.
   *
   * @return whether it moved; false if a shard is still busy with an earlier move
   */
  public boolean moveAnyChunk(String namespace, Random random) {
    List<Document> chunks = chunksOf(namespace);
    Document chunk = chunks.get(random.nextInt(chunks.size()));
    String from = chunk.getString("shard");
    List<String> others = shardNames().stream().filter(shard -> !shard.equals(from)).toList();
    try {
      router
          .getDatabase("admin")
          .runCommand(move(namespace, chunk, others.get(random.nextInt(others.size()))));
      return true;
    } catch (MongoCommandException e) {
      if (!isBusyWithAnEarlierMove(e)) {
        throw e;
      }
      return false;
    }
  }

  /**
   * A shard that still has to delete what an earlier move left there refuses the same range after
   * 10 s.
   */
  private static boolean isBusyWithAnEarlierMove(MongoCommandException e) {
    return e.getErrorCode() == CONFLICTING_OPERATION_IN_PROGRESS
        || (e.getErrorCode() == OPERATION_FAILED
            && e.getErrorMessage().contains("Failed to delete orphaned"));
  }

  /** Moves all chunks that one shard has of a collection to another. */
  public void moveAllChunks(String namespace, int from, int to) {
    for (Document chunk : chunksOf(namespace)) {
      if (chunk.getString("shard").equals(servers.shard(from).name())) {
        router.getDatabase("admin").runCommand(move(namespace, chunk, servers.shard(to).name()));
      }
    }
  }

  /** How long a shard keeps what was moved away from it. */
  public void setOrphanCleanupDelay(Duration delay) {
    for (int shard = 0; shard < shardNames().size(); shard++) {
      try (MongoClient client = MongoClients.create(servers.shard(shard).endpoint())) {
        client
            .getDatabase("admin")
            .runCommand(
                new Document("setParameter", 1)
                    .append("orphanCleanupDelaySecs", (int) delay.toSeconds()));
      }
    }
  }

  /** How many documents a shard itself counts, what a move has left there among them. */
  public long countOnShard(int shard, String database, String collection, Bson filter) {
    try (MongoClient client = MongoClients.create(servers.shard(shard).endpoint())) {
      return client.getDatabase(database).getCollection(collection).countDocuments(filter);
    }
  }

  /**
   * Splits a collection of one chunk, and gives each shard some of the pieces in turn.
   *
   * @param middles where a new chunk begins, each a value of the whole shard key
   */
  public void splitAndSpread(String namespace, List<Document> middles) {
    MongoDatabase admin = router.getDatabase("admin");
    middles.forEach(
        middle -> admin.runCommand(new Document("split", namespace).append("middle", middle)));
    List<String> shards = shardNames();
    List<Document> chunks = chunksOf(namespace);
    for (int i = 0; i < chunks.size(); i++) {
      String to = shards.get(i % shards.size());
      if (!to.equals(chunks.get(i).getString("shard"))) {
        admin.runCommand(move(namespace, chunks.get(i), to));
      }
    }
  }

  private static Document move(String namespace, Document chunk, String to) {
    return new Document("moveChunk", namespace)
        .append(
            "bounds", List.of(chunk.get("min", Document.class), chunk.get("max", Document.class)))
        .append("to", to);
  }

  /** The shards that the cluster knows. */
  public List<String> shardNames() {
    return config()
        .getCollection("shards")
        .find()
        .sort(new Document("_id", 1))
        .map(shard -> shard.getString("_id"))
        .into(new ArrayList<>());
  }

  /** The process of a shard's primary. */
  public ServerProcess awaitPrimary(int shard) {
    List<ServerProcess> processes = servers.shard(shard).processes();
    return await("a primary of " + servers.shard(shard).name())
        .atMost(LIMIT)
        .until(
            () ->
                IntStream.range(0, processes.size())
                    .filter(member -> processes.get(member).isRunning())
                    .filter(member -> isPrimary(shard, member))
                    .mapToObj(processes::get)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  private boolean isPrimary(int shard, int member) {
    try (MongoClient client =
        MongoClients.create(
            "mongodb://%s/?directConnection=true&serverSelectionTimeoutMS=1000"
                .formatted(servers.shard(shard).hosts().get(member)))) {
      return client
          .getDatabase("admin")
          .runCommand(new Document("hello", 1))
          .getBoolean("isWritablePrimary", false);
    } catch (MongoException e) {
      return false;
    }
  }

  @Override
  public void close() {
    router.close();
  }
}
