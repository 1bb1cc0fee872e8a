package io.lastfix.it.sharded;

import static com.mongodb.client.model.Filters.exists;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.model.UpdateOneModel;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.NeedsMongos;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.history.HistoryDocumentConverter;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.MinKey;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code lastfix relocate} on a sharded cluster, with both shard keys of History. */
@NeedsMongos
class ShardedRelocateIT {
  private static final int SHARDS = 3;
  private static final int USERS = 600;

  /** More than two batches of the reader on each shard. */
  private static final int RECORDS = 30_000;

  private static final List<String> PARTITIONS =
      List.of("history_2026_01_20", "history_2026_01_21");
  private static final Instant MIDNIGHT = Instant.parse("2026-01-21T00:00:00Z");
  private static final Duration LIMIT = Duration.ofMinutes(5);

  @TempDir private static Path directory;

  private static TestStack stack;
  private static ShardedCluster cluster;
  private static LastfixProcess lastfix;

  @BeforeAll
  static void startServers() throws Exception {
    stack = TestStack.startSharded(directory, SHARDS, 1, 1, 4);
    cluster = new ShardedCluster(stack.sharded());
    cluster.stopBalancer();
    lastfix =
        new LastfixProcess(
            Files.createDirectories(directory.resolve("home")),
            Files.createDirectories(directory.resolve("output")));
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
  void everyRecordOfEveryShardGetsItsPositionAndEachWriteAsksOneShard(HistoryShardKey key)
      throws Exception {
    Scenario scenario = new Scenario(20261125, 10);
    TowerFact tower = scenario.lateTowers().get(0);
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            LocationRun.nameFor("relocate " + key),
            "history.period=DAY",
            "history.shard-key=" + key,
            "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      List<LocatedRecord> records = records(tower);
      store(run, key, records);
      for (String partition : PARTITIONS) {
        assertThat(cluster.documents(run.database().getName(), partition))
            .as("shards that have documents of %s", partition)
            .hasSize(SHARDS)
            .allSatisfy((shard, count) -> assertThat(count).as(shard).isPositive());
      }

      JsonNode found = relocate(run);

      long unknown = RECORDS / 10;
      assertThat(found.path("documents").asLong()).isEqualTo(RECORDS);
      assertThat(found.path("unknownCell").asLong()).isEqualTo(unknown);
      assertThat(found.path("located").asLong()).isEqualTo(RECORDS - unknown);
      assertThat(found.path("written").asLong()).isEqualTo(RECORDS - unknown);
      assertThat(count(run, exists("loc", false))).isEqualTo(unknown);
      assertThat(count(run, exists("located"))).isEqualTo(RECORDS - unknown);
      assertThat(newestStored(run)).isEqualTo(newest(records, tower));
      assertThat(shardsAsked(run, records.get(0))).as("shards that one update asks").isEqualTo(1);

      JsonNode again = relocate(run);
      assertThat(again.path("documents").asLong()).isEqualTo(unknown);
      assertThat(again.path("written").asLong()).isZero();
    }
  }

  /** On both sides of a midnight; every tenth at a cell that nobody knows. */
  private static List<LocatedRecord> records(TowerFact tower) {
    CellId known = CellId.parse(tower.cell());
    CellId unknown = new CellId(310, 9, 1, 900);
    Radio radio = Radio.parse(tower.radio()).orElseThrow();
    List<LocatedRecord> records = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      records.add(
          new LocatedRecord(
              "user%03d".formatted(i % USERS),
              new Place.AtCell(i % 10 == 7 ? unknown : known, radio),
              MIDNIGHT.plusSeconds(i - RECORDS / 2).toEpochMilli(),
              null,
              false));
    }
    return records;
  }

  private static void store(LocationRun run, HistoryShardKey key, List<LocatedRecord> records) {
    String database = run.database().getName();
    try (ServerWriter writer =
        ServerWriter.history(
            stack.mongoUri(),
            database,
            TestHistory.of(PartitionPeriod.DAY, key, false),
            ProvisionMode.AUTO,
            InstantSource.fixed(Instant.MAX))) {
      writer.store(records);
    }
    if (key == HistoryShardKey.USER) {
      // A collection of one chunk would have but one shard to read from.
      for (String partition : PARTITIONS) {
        cluster.splitAndSpread(
            database + "." + partition,
            Stream.of("user200", "user400")
                .map(user -> new Document("user", user).append("ts", new MinKey()))
                .toList());
      }
    }
  }

  private static long count(LocationRun run, Bson filter) {
    return PARTITIONS.stream()
        .mapToLong(partition -> run.database().getCollection(partition).countDocuments(filter))
        .sum();
  }

  private static Map<String, Long> newest(List<LocatedRecord> records, TowerFact tower) {
    Map<String, Long> newest = new HashMap<>();
    for (LocatedRecord record : records) {
      if (Objects.toString(record.cell()).equals(tower.cell())) {
        newest.merge(record.user(), record.timestampMillis(), Math::max);
      }
    }
    return newest;
  }

  private static Map<String, Long> newestStored(LocationRun run) {
    Map<String, Long> newest = new HashMap<>();
    for (Document document :
        run.database().getCollection(run.config().lastKnownLocation().collection()).find()) {
      newest.put(
          document.getString("_id"),
          document.get("last", Document.class).getDate("ts").toInstant().toEpochMilli());
    }
    return newest;
  }

  private static int shardsAsked(LocationRun run, LocatedRecord unlocated) {
    LocatedRecord located =
        new LocatedRecord(
            unlocated.user(),
            unlocated.place(),
            unlocated.timestampMillis(),
            new Position(1.5, 2.5),
            false);
    UpdateOneModel<BsonDocument> update =
        (UpdateOneModel<BsonDocument>) HistoryDocumentConverter.locatedLater(located, 1);
    Document plan =
        cluster.explain(
            run.database().getName(),
            new Document("update", PARTITIONS.get(0))
                .append(
                    "updates",
                    List.of(
                        new Document("q", update.getFilter())
                            .append("u", Objects.requireNonNull(update.getUpdate())))));
    return ShardedCluster.shardsAsked(plan);
  }

  private static JsonNode relocate(LocationRun run) throws Exception {
    return lastfix
        .run(LIMIT, run, "relocate", "--json", "--flink", stack.flinkUrl())
        .mustExitWith(0)
        .json();
  }
}
