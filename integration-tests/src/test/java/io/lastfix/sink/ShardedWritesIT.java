package io.lastfix.sink;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.Updates;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.TestStack;
import io.lastfix.it.sharded.ShardedCluster;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.sink.BulkServer.BulkResult;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationConverter;
import io.lastfix.store.provision.ProvisionMode;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What both sinks rely on a sharded cluster for: that many clients on several routers provision the
 * same collections before anybody writes to them, and that every write goes to one shard.
 */
@NeedsMongos
class ShardedWritesIT {
  private static final long SEED = 20261126;
  private static final int SHARDS = 3;
  private static final int CLIENTS = 8;
  private static final long LIMIT_SECONDS = 120;
  private static final int USERS = 300;
  private static final long DAY = 86_400_000L;

  /** 2026-01-20T12:00:01.001Z. */
  private static final long TIMESTAMP_MILLIS = 1_768_910_401_001L;

  private static final String PARTITION = "history_2026_01_20";
  private static final List<String> PARTITIONS =
      List.of(PARTITION, "history_2026_01_21", "history_2026_01_22", "history_2026_01_23");
  private static final String LAST_KNOWN_LOCATION = "last_known_location";

  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startShardedMongo(directory, SHARDS);
    cluster = new ShardedCluster(stack.sharded());
    cluster.stopBalancer();
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

  @ParameterizedTest
  @EnumSource(HistoryShardKey.class)
  void partitionsAreShardedBeforeTheirFirstRecordHoweverManyWritersStartAtOnce(HistoryShardKey key)
      throws Exception {
    String database = "race_" + key;
    List<LocatedRecord> records =
        IntStream.range(0, 2_000)
            .mapToObj(i -> record(i % USERS, TIMESTAMP_MILLIS + i % PARTITIONS.size() * DAY + i))
            .toList();
    List<BulkResult> results = Collections.synchronizedList(new ArrayList<>());

    onEveryClient(
        (router, together) -> {
          try (ServerWriter writer = history(router, database, key)) {
            together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
            results.add(writer.store(records));
          }
        });

    assertThat(results.stream().mapToInt(BulkResult::inserted).sum())
        .as("inserted, by the writers' own counts")
        .isEqualTo(records.size());
    assertThat(results.stream().mapToInt(BulkResult::duplicates).sum())
        .as("duplicates, by the writers' own counts")
        .isEqualTo((CLIENTS - 1) * records.size());
    long stored = 0;
    for (String partition : PARTITIONS) {
      assertShardedBeforeFirstInsert(database + "." + partition);
      stored += count(database, partition);
    }
    assertThat(stored).as("records in all partitions").isEqualTo(records.size());
  }

  /** By the cluster's own clock: of what a shard wrote, and of what the routers were told. */
  private static void assertShardedBeforeFirstInsert(String namespace) {
    BsonTimestamp sharded = cluster.shardedSince(namespace);
    assertThat(cluster.firstInserts(namespace, SHARDS))
        .as("when the shards first got a record of %s, which was sharded %s", namespace, sharded)
        .isNotEmpty()
        .allSatisfy(first -> assertThat(first).isGreaterThan(sharded));
  }

  private static long count(String database, String collection) {
    try (MongoClient router = MongoClients.create(stack.mongoUri())) {
      return router.getDatabase(database).getCollection(collection).countDocuments();
    }
  }

  @Test
  void racingFirstInsertsThroughSeveralRoutersNeverLoseTheNewest() throws Exception {
    String database = "newest";
    Random random = new Random(SEED);
    Map<String, Long> newest = new HashMap<>();
    List<List<LocatedRecord>> byClient = new ArrayList<>();
    for (int client = 0; client < CLIENTS; client++) {
      List<LocatedRecord> records = new ArrayList<>();
      for (int user = 0; user < USERS; user++) {
        LocatedRecord record = record(user, TIMESTAMP_MILLIS + random.nextInt(1_000));
        records.add(record);
        newest.merge(record.user(), record.timestampMillis(), Math::max);
      }
      Collections.shuffle(records, random);
      byClient.add(records);
    }
    List<List<LocatedRecord>> open = Collections.synchronizedList(new ArrayList<>(byClient));

    onEveryClient(
        (router, together) -> {
          try (ServerWriter writer = ServerWriter.lastKnownLocation(router, database)) {
            together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
            writer.store(open.remove(0));
          }
        });

    Map<String, Long> stored = new HashMap<>();
    try (MongoClient router = MongoClients.create(stack.mongoUri())) {
      for (Document found :
          router.getDatabase(database).getCollection(LAST_KNOWN_LOCATION).find()) {
        stored.put(
            found.getString("_id"),
            found.get("last", Document.class).getDate("ts").toInstant().toEpochMilli());
      }
    }
    assertThat(stored).isEqualTo(newest);
    assertShardedBeforeFirstInsert(database + "." + LAST_KNOWN_LOCATION);
    assertThat(cluster.shardKey(database + "." + LAST_KNOWN_LOCATION))
        .contains(new Document("_id", "hashed"));
  }

  /**
   * Each record is a bulk of its own here, so the routers' own count of the shards that a command
   * went to is that of the record's write.
   */
  @ParameterizedTest
  @EnumSource(HistoryShardKey.class)
  void everyWriteOfBothSinksGoesToOneShard(HistoryShardKey key) throws Exception {
    String database = "targeted_" + key;
    try (ServerWriter history = history(stack.mongoUri(), database, key);
        ServerWriter lastKnown = ServerWriter.lastKnownLocation(stack.mongoUri(), database)) {
      history.store(List.of(record(0, TIMESTAMP_MILLIS)));
      lastKnown.store(List.of(record(0, TIMESTAMP_MILLIS)));
      spread(database, key);
      Map<String, Long> insertsBefore = cluster.hostsTargeted("insert");
      Map<String, Long> updatesBefore = cluster.hostsTargeted("update");

      for (int user = 1; user <= USERS / 3; user++) {
        LocatedRecord first = record(user, TIMESTAMP_MILLIS + 1);
        LocatedRecord newer = record(user, TIMESTAMP_MILLIS + 2);
        for (LocatedRecord one : List.of(first, newer, first)) {
          history.store(List.of(one));
          lastKnown.store(List.of(one));
        }
      }

      Map<String, Long> inserts = growth(insertsBefore, cluster.hostsTargeted("insert"));
      Map<String, Long> updates = growth(updatesBefore, cluster.hostsTargeted("update"));
      System.out.printf(
          "[sharded] one record a bulk, History by %s: inserts %s, updates %s%n",
          key, inserts, updates);
      assertThat(inserts).isEqualTo(Map.of("oneShard", (long) USERS));
      // A third of History's records came before: for these its document is looked at once more.
      assertThat(updates).isEqualTo(Map.of("oneShard", USERS + USERS / 3L));
      assertThat(cluster.documents(database, PARTITION)).as("shards written to").hasSize(SHARDS);
    }
    assertThatTheMeterSeesAScatteredWrite(database);
  }

  /** A collection of one chunk would have but one shard to write to. */
  private static void spread(String database, HistoryShardKey key) {
    if (key == HistoryShardKey.USER) {
      cluster.splitAndSpread(
          database + "." + PARTITION,
          Stream.of(USERS / 9, USERS / 5)
              .map(user -> new Document("user", user(user)).append("ts", new MinKey()))
              .toList());
    }
  }

  private static void assertThatTheMeterSeesAScatteredWrite(String database) {
    Map<String, Long> before = cluster.hostsTargeted("update");
    try (MongoClient router = MongoClients.create(stack.mongoUri())) {
      router
          .getDatabase(database)
          .getCollection(LAST_KNOWN_LOCATION)
          .updateMany(new Document("last.cell", "nowhere"), Updates.set("never", true));
    }
    assertThat(growth(before, cluster.hostsTargeted("update"))).isEqualTo(Map.of("allShards", 1L));
  }

  private static Map<String, Long> growth(Map<String, Long> before, Map<String, Long> after) {
    Map<String, Long> growth = new TreeMap<>();
    after.forEach(
        (reach, count) -> {
          long grown = count - before.getOrDefault(reach, 0L);
          if (grown != 0) {
            growth.put(reach, grown);
          }
        });
    return growth;
  }

  @Test
  void explainShowsOneShardForTheUpsertOfLastKnownLocation() {
    String database = "explained";
    LocatedRecord record = record(1, TIMESTAMP_MILLIS);
    try (ServerWriter writer = ServerWriter.lastKnownLocation(stack.mongoUri(), database)) {
      writer.store(List.of(record));
    }
    UpdateOneModel<BsonDocument> upsert =
        (UpdateOneModel<BsonDocument>) new LastKnownLocationConverter().apply(record);
    Bson update = upsert.getUpdate();
    assertThat(update).isNotNull();

    Document plan =
        cluster.explain(
            database,
            new Document("update", LAST_KNOWN_LOCATION)
                .append(
                    "updates",
                    List.of(
                        new Document("q", upsert.getFilter())
                            .append("u", update)
                            .append("upsert", upsert.getOptions().isUpsert()))));

    assertThat(ShardedCluster.shardsAsked(plan)).isEqualTo(1);
  }

  @Test
  void theWaitForTheWriteConcernAsksAllShardsOfLastKnownLocation() {
    String database = "waited";
    try (ServerWriter writer = ServerWriter.lastKnownLocation(stack.mongoUri(), database)) {
      writer.store(List.of(record(1, TIMESTAMP_MILLIS)));
    }

    Document plan =
        cluster.explain(
            database,
            new Document("update", LAST_KNOWN_LOCATION)
                .append(
                    "updates",
                    List.of(
                        new Document("q", WriteConcernWait.NOTHING)
                            .append("u", Updates.setOnInsert("none", 0))
                            .append("multi", true))));

    assertThat(ShardedCluster.shardsAsked(plan)).isEqualTo(SHARDS);
  }

  /** Whatever the shard key: what a person asks, and what an analyst does. */
  @ParameterizedTest
  @EnumSource(HistoryShardKey.class)
  void aUsersTimeRangeAsksOneShardAndATimeRangeOfAllUsersAsksAll(HistoryShardKey key) {
    String database = "read_" + key;
    try (ServerWriter writer = history(stack.mongoUri(), database, key)) {
      writer.store(
          IntStream.range(0, USERS)
              .mapToObj(user -> record(user, TIMESTAMP_MILLIS + user))
              .toList());
    }
    System.out.printf(
        "[sharded] History by %s, 300 users: chunks %s, documents %s%n",
        key, cluster.chunks(database + "." + PARTITION), cluster.documents(database, PARTITION));
    spread(database, key);
    Document range =
        new Document("$gte", new BsonDateTime(TIMESTAMP_MILLIS))
            .append("$lt", new BsonDateTime(TIMESTAMP_MILLIS + DAY));

    Document ofUser = find(database, new Document("user", user(7)).append("ts", range));
    Document ofAll = find(database, new Document("ts", range));

    System.out.printf(
        "[sharded] History by %s, explain: a user's range %s on %d shard, everybody's %s on %d%n",
        key,
        ofUser.getString("stage"),
        ShardedCluster.shardsAsked(ofUser),
        ofAll.getString("stage"),
        ShardedCluster.shardsAsked(ofAll));
    assertThat(ShardedCluster.shardsAsked(ofUser)).isEqualTo(1);
    assertThat(ShardedCluster.shardsAsked(ofAll)).isEqualTo(SHARDS);
  }

  private static Document find(String database, Document filter) {
    return cluster.explain(
        database,
        new Document("find", PARTITION)
            .append("filter", filter)
            .append("sort", new Document("ts", 1)));
  }

  private interface ClientTask {
    void run(String router, CyclicBarrier together) throws Exception;
  }

  /** Clients of both routers, half of them each. */
  private static void onEveryClient(ClientTask task) throws Exception {
    CyclicBarrier together = new CyclicBarrier(CLIENTS);
    List<String> routers = stack.sharded().routerHosts();
    ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
    try {
      List<Future<?>> running = new ArrayList<>();
      for (int client = 0; client < CLIENTS; client++) {
        String router = "mongodb://%s/".formatted(routers.get(client % routers.size()));
        running.add(
            threads.submit(
                () -> {
                  task.run(router, together);
                  return null;
                }));
      }
      for (Future<?> one : running) {
        one.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private static ServerWriter history(String router, String database, HistoryShardKey key) {
    return ServerWriter.history(
        router,
        database,
        TestHistory.of(PartitionPeriod.DAY, key, false),
        ProvisionMode.AUTO,
        InstantSource.fixed(Instant.MAX));
  }

  private static LocatedRecord record(int user, long timestampMillis) {
    return new LocatedRecord(user(user), CELL, timestampMillis, POSITION);
  }

  private static String user(int number) {
    return "35000000%07d".formatted(number);
  }
}
