package io.lastfix.it.sharded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.CreateCollectionOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.TimeSeriesOptions;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.HistoryShardKey;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.lastknown.LastKnownLocationOptions;
import io.lastfix.store.provision.CollectionPlan;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import io.lastfix.store.provision.Provisioner;
import io.lastfix.store.provision.Step;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bson.Document;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What provisioning does on every kind of server: a subclass brings the server, and says how many
 * shards it has. What is there is read by the driver's own commands.
 */
abstract class ProvisionContract {
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:01.001Z");
  private static final HistoryOptions HISTORY = TestHistory.MONTHS;
  private static final String CURRENT = "history_2026_11";
  private static final String NEXT = "history_2026_12";
  private static final String PAST = "history_2020_02";
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);

  private static final Document ID = new Document("_id", 1);
  private static final Document USER_AND_TIME = new Document("user", 1).append("ts", 1);
  private static final Document USER_HASHED = new Document("user", "hashed").append("ts", 1);

  private static final int PROVISIONERS = 8;
  private static final long LIMIT_SECONDS = 60;

  private MongoClient client;
  private MongoDatabase database;
  private Provisioner provisioner;

  /** A server that takes writes, with as many shards as {@link #shards} says. */
  abstract String mongoUri();

  /** None where the server is no sharded cluster. */
  abstract int shards();

  private boolean isSharded() {
    return shards() > 0;
  }

  @BeforeEach
  void takeDatabaseOfItsOwn(TestInfo test) {
    client = MongoClients.create(mongoUri());
    String name = test.getTestMethod().orElseThrow().getName();
    database = client.getDatabase(name.substring(0, Math.min(50, name.length())));
    database.drop();
    provisioner = new Provisioner(client, database.getName());
  }

  @AfterEach
  void dropIt() {
    database.drop();
    client.close();
  }

  /** But for where MongoDB keeps what views are made of. */
  private List<String> collections() {
    List<String> names = new ArrayList<>();
    for (Document listed : database.listCollections().filter(new Document("type", "collection"))) {
      names.add(listed.getString("name"));
    }
    names.remove("system.views");
    return names;
  }

  private List<Document> indexes(String collection) {
    return database
        .getCollection(collection)
        .listIndexes()
        .map(index -> index.get("key", Document.class))
        .into(new ArrayList<>());
  }

  private @Nullable Document shardKey(String collection) {
    Document entry =
        client
            .getDatabase("config")
            .getCollection("collections")
            .find(new Document("_id", database.getName() + "." + collection))
            .first();
    return entry == null ? null : entry.get("key", Document.class);
  }

  /** A partition as History's defaults say it must be. */
  private void assertIsProvisioned(String partition) {
    assertThat(indexes(partition))
        .as("indexes of %s", partition)
        .containsExactlyInAnyOrder(ID, isSharded() ? USER_HASHED : USER_AND_TIME);
    assertThat(shardKey(partition))
        .as("shard key of %s", partition)
        .isEqualTo(isSharded() ? USER_HASHED : null);
  }

  private static LocatedRecord recordAt(Instant moment) {
    return new LocatedRecord("350000000007919", CELL, moment.toEpochMilli(), POSITION);
  }

  private ServerWriter writer(ProvisionMode mode) {
    return ServerWriter.history(
        mongoUri(), database.getName(), HISTORY, mode, InstantSource.fixed(NOW));
  }

  @Test
  void fromNothingAPartitionIsMadeAsItMustBeAndASecondTimeMakesNothing() throws Exception {
    List<Step> made = provisioner.provision(HISTORY.description(CURRENT));

    assertIsProvisioned(CURRENT);
    assertThat(made).extracting(Step::description).isNotEmpty();
    assertThat(provisioner.plan(HISTORY.description(CURRENT)).isMet()).isTrue();
    assertThat(provisioner.provision(HISTORY.description(CURRENT))).isEmpty();
  }

  @Test
  void theIndexesThatAreAskedForAreMadeLaterToo() throws Exception {
    LastKnownLocationOptions plain =
        new LastKnownLocationOptions("last_known_location", false, false, false);
    HistoryOptions withCells =
        TestHistory.of(PartitionPeriod.MONTH, HistoryShardKey.USER_HASHED, true);
    provisioner.provision(plain.description());
    provisioner.provision(HISTORY.description(CURRENT));

    provisioner.provision(
        new LastKnownLocationOptions(plain.collection(), true, true, true).description());
    provisioner.provision(withCells.description(CURRENT));

    List<Document> lastKnown = new ArrayList<>(List.of(ID));
    if (isSharded()) {
      lastKnown.add(new Document("_id", "hashed"));
    }
    lastKnown.add(new Document("last.loc", "2dsphere"));
    lastKnown.add(new Document("last.cell", 1).append("last.ts", 1));
    lastKnown.add(new Document("fix.loc", "2dsphere"));
    assertThat(indexes(plain.collection())).containsExactlyInAnyOrderElementsOf(lastKnown);
    assertThat(indexes(CURRENT)).contains(new Document("cell", 1).append("ts", 1));
    // Who asks for less later loses nothing.
    assertThat(provisioner.plan(plain.description()).isMet()).isTrue();
  }

  @Test
  void aLookChangesNothing() throws Exception {
    CollectionPlan plan = provisioner.plan(HISTORY.description(CURRENT));

    assertThat(plan.steps()).isNotEmpty();
    assertThat(collections()).isEmpty();
  }

  /**
   * Something that must not be so.
   *
   * @param make makes it, in the place of the current partition
   * @param found how the message shows it
   */
  record Disagreement(String name, Consumer<MongoDatabase> make, String found) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Disagreement> disagreements() {
    return Stream.of(
        new Disagreement(
            "another unique index",
            database ->
                database
                    .getCollection(CURRENT)
                    .createIndex(new Document("user", 1), new IndexOptions().unique(true)),
            "unique index: expected none but {_id: 1}, found {user: 1} unique"),
        new Disagreement(
            "a capped collection",
            database ->
                database.createCollection(
                    CURRENT, new CreateCollectionOptions().capped(true).sizeInBytes(4_096)),
            "capped: expected an uncapped collection"),
        new Disagreement(
            "a view",
            database -> database.createView(CURRENT, "others", List.of()),
            "kind: expected collection, found view"),
        new Disagreement(
            "a time series",
            database ->
                database.createCollection(
                    CURRENT,
                    new CreateCollectionOptions().timeSeriesOptions(new TimeSeriesOptions("ts"))),
            "kind: expected collection, found timeseries"),
        new Disagreement(
            "a collation that makes two ids equal",
            database ->
                database.createCollection(
                    CURRENT,
                    new CreateCollectionOptions()
                        .collation(Collation.builder().locale("en").build())),
            "collation: expected none, found en"));
  }

  @ParameterizedTest
  @MethodSource("disagreements")
  void whatDisagreesIsShownAndLeftAsItIs(Disagreement disagreement) {
    disagreement.make().accept(database);
    List<Document> before = database.listCollections().into(new ArrayList<>());

    assertThatThrownBy(() -> provisioner.provision(HISTORY.description(CURRENT)))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining(database.getName() + "." + CURRENT + ": " + disagreement.found());

    assertThat(database.listCollections().into(new ArrayList<>())).isEqualTo(before);
    assertThat(shardKey(CURRENT)).isNull();
  }

  @Test
  void anIndexOnTheSameFieldsWithOtherOptionsIsShown() {
    HistoryOptions withCells =
        TestHistory.of(PartitionPeriod.MONTH, HistoryShardKey.USER_HASHED, true);
    database
        .getCollection(CURRENT)
        .createIndex(new Document("cell", 1).append("ts", 1), new IndexOptions().sparse(true));

    assertThatThrownBy(() -> provisioner.provision(withCells.description(CURRENT)))
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining("index: expected {cell: 1, ts: 1}, found {cell: 1, ts: 1} sparse");
  }

  @Test
  void provisionersThatRaceAllEndWithThePartitionAsItMustBe() throws Exception {
    CyclicBarrier together = new CyclicBarrier(PROVISIONERS);
    ExecutorService threads = Executors.newFixedThreadPool(PROVISIONERS);
    List<Future<?>> racing = new ArrayList<>();
    try {
      for (int i = 0; i < PROVISIONERS; i++) {
        racing.add(
            threads.submit(
                () -> {
                  // A client of its own, as each subtask has; on a cluster, often another router.
                  try (MongoClient own = MongoClients.create(mongoUri())) {
                    Provisioner mine = new Provisioner(own, database.getName());
                    for (String partition : List.of(CURRENT, NEXT, PAST)) {
                      together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                      mine.provision(HISTORY.description(partition));
                    }
                    return null;
                  }
                }));
      }
      for (Future<?> one : racing) {
        one.get(LIMIT_SECONDS, TimeUnit.SECONDS);
      }
    } finally {
      threads.shutdownNow();
    }

    assertThat(collections()).containsExactlyInAnyOrder(CURRENT, NEXT, PAST);
    for (String partition : List.of(CURRENT, NEXT, PAST)) {
      assertIsProvisioned(partition);
    }
  }

  @Test
  void theNextPartitionIsThereBeforeItsFirstRecordAndALateRecordsComesAlone() {
    try (ServerWriter history = writer(ProvisionMode.AUTO)) {
      history.store(List.of(recordAt(NOW)));
      assertThat(collections()).containsExactlyInAnyOrder(CURRENT, NEXT);
      assertIsProvisioned(NEXT);
      assertThat(database.getCollection(NEXT).countDocuments()).isZero();

      history.store(List.of(recordAt(Instant.parse("2020-02-29T00:00:00Z"))));
      assertThat(collections()).containsExactlyInAnyOrder(CURRENT, NEXT, PAST);
      assertIsProvisioned(PAST);
    }
  }

  @Test
  void theViewShowsEveryPartitionAndReadsAUsersKeysAlone() throws Exception {
    try (ServerWriter history = writer(ProvisionMode.AUTO)) {
      history.store(List.of(recordAt(NOW), recordAt(NOW.plusSeconds(1)), recordAt(Instant.EPOCH)));
    }
    // In a job the first subtask does so every few seconds: see ViewRefresher.
    assertThat(new HistoryPartitions(client, database.getName(), HISTORY).refreshView())
        .isNotEmpty();

    assertThat(database.getCollection("history").countDocuments()).isEqualTo(3);
    Document ofTheUser = new Document("user", "350000000007919").append("ts", after(NOW));
    assertThat(database.getCollection("history").find(ofTheUser)).hasSize(1);
    Document plan =
        database.runCommand(
            new Document(
                    "explain",
                    new Document("aggregate", "history")
                        .append("pipeline", List.of(new Document("$match", ofTheUser)))
                        .append("cursor", new Document()))
                .append("verbosity", "queryPlanner"));
    assertThat(plan.toJson()).contains("IXSCAN").doesNotContain("COLLSCAN");
  }

  private static Document after(Instant moment) {
    return new Document("$gt", Date.from(moment));
  }

  @Test
  void statsShowWhatEachPartitionHoldsAndWhichShardsHaveIt() throws Exception {
    try (ServerWriter history = writer(ProvisionMode.AUTO)) {
      List<LocatedRecord> records = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        records.add(new LocatedRecord("user-" + i, CELL, NOW.toEpochMilli() + i, POSITION));
      }
      history.store(records);
    }

    Result result = run("partitions", "stats", "--json").mustExitWith(0);

    JsonNode current = result.json().at("/partitions/0");
    assertThat(current.path("name").asText()).isEqualTo(CURRENT);
    assertThat(current.at("/figures/records").asLong()).isEqualTo(200);
    assertThat(current.path("oldest").asText()).isEqualTo("2026-11-20T12:00:01.001Z");
    assertThat(current.path("newest").asText()).isEqualTo("2026-11-20T12:00:01.200Z");
    long onShards = 0;
    double shares = 0;
    for (JsonNode shard : current.at("/figures/shards")) {
      onShards += shard.path("records").asLong();
      shares += shard.path("share").asDouble();
      assertThat(shard.path("records").asLong()).as(shard.toString()).isPositive();
    }
    assertThat(onShards).isEqualTo(isSharded() ? 200 : 0);
    assertThat(shares).isCloseTo(isSharded() ? 1 : 0, within(1e-9));
    assertThat(current.at("/figures/shards")).hasSize(shards());
  }

  @Test
  void withCheckWhatIsMissingFailsTheWriteAndNothingIsMade() throws Exception {
    try (ServerWriter history = writer(ProvisionMode.CHECK)) {
      assertThatThrownBy(() -> history.store(List.of(recordAt(NOW))))
          .hasMessageContaining("missing: ")
          .hasMessageContaining(database.getName() + "." + CURRENT)
          .hasMessageContaining("lastfix partitions create --from ");
      assertThat(collections()).isEmpty();

      provisioner.provision(HISTORY.description(CURRENT));
      // The next one is missing still, but nothing is written to it yet.
      history.store(List.of(recordAt(NOW)));
    }
    assertThat(collections()).containsExactly(CURRENT);
    assertThat(database.getCollection(CURRENT).countDocuments()).isEqualTo(1);
  }

  @Test
  void withOffNobodyLooksAndTheInsertMakesTheCollection() {
    try (ServerWriter history = writer(ProvisionMode.OFF)) {
      history.store(List.of(recordAt(NOW)));
    }

    assertThat(collections()).containsExactly(CURRENT);
    assertThat(indexes(CURRENT)).containsExactly(ID);
    assertThat(shardKey(CURRENT)).isNull();
  }

  @Test
  void theCommandSaysWhatItWouldMakeAndMadeAndWhatItRefuses() throws Exception {
    Result dry = command("--dry-run", "--json").mustExitWith(0);
    assertThat(statuses(dry)).containsOnly("WOULD_MAKE");
    assertThat(collections()).isEmpty();

    Result first = command("--json").mustExitWith(0);
    assertThat(statuses(first)).containsOnly("MADE");
    assertThat(collections())
        .hasSize(4)
        .contains("last_known_location", "devices")
        .allSatisfy(
            name ->
                assertThat(shardKey(name))
                    .isEqualTo(
                        !isSharded()
                            ? null
                            : name.startsWith("history")
                                ? USER_HASHED
                                : new Document("_id", "hashed")));
    assertThat(statuses(command("--json").mustExitWith(0))).containsOnly("THERE");

    database.createView(PAST, "others", List.of());
    Result refused = command().mustExitWith(1);
    assertThat(refused.out())
        .contains(
            "refused      collection %s.%s: kind: expected collection, found view"
                .formatted(database.getName(), PAST))
        .contains("there        collection %s.last_known_location".formatted(database.getName()))
        .contains(isSharded() ? "a sharded cluster" : "nothing is sharded");
    assertThat(refused.err())
        .isEqualToIgnoringNewLines(
            "lastfix provision: 1 refused: these disagree with the configuration, and were not"
                + " changed");
  }

  private Result command(String... arguments) throws Exception {
    return run(Stream.concat(Stream.of("provision"), Stream.of(arguments)).toArray(String[]::new));
  }

  private Result run(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--mongo-uri", mongoUri(), "--set", "mongo.database=" + database.getName()));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }

  /** Of the collections: a role is the server's, and may be there from another test. */
  private static List<String> statuses(Result result) throws Exception {
    List<String> statuses = new ArrayList<>();
    for (JsonNode databases : result.json().path("databases")) {
      for (JsonNode finding : databases.path("findings")) {
        if (!finding.path("what").asText().startsWith("role lastfixSharding")) {
          statuses.add(finding.path("status").asText());
        }
      }
    }
    return statuses;
  }
}
