package io.lastfix.it.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.sink.ServerWriter;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.alerts.TestAlerts;
import io.lastfix.store.history.HistoryOptions;
import io.lastfix.store.history.HistoryPartition;
import io.lastfix.store.history.HistoryPartitions;
import io.lastfix.store.history.HistoryRetention;
import io.lastfix.store.history.HistoryView;
import io.lastfix.store.history.PartitionPeriod;
import io.lastfix.store.history.TestHistory;
import io.lastfix.store.provision.ProvisionException;
import io.lastfix.store.provision.ProvisionMode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/**
 * The life of a partition on a real server: made, shown by the view, expired, dropped; and the
 * commands for it. What is there is read by the driver's own commands.
 */
class PartitionsIT {
  private static final CellId CELL = new CellId(234, 10, 4021, 20_911_362);
  private static final Position POSITION = new Position(-0.1276, 51.5072);
  private static final Instant NOW = Instant.parse("2028-03-31T12:00:00Z");
  private static final HistoryOptions MONTHS = TestHistory.MONTHS;
  private static final HistoryOptions KEPT_FOR_31_DAYS =
      TestHistory.withRetention(
          MONTHS, HistoryRetention.of(PartitionPeriod.MONTH, Duration.ofDays(31), Duration.ZERO));
  private static final String VIEW = "history";

  private static final int WRITERS = 8;
  private static final int PARTITIONS_OF_EACH = 6;
  private static final long LIMIT_SECONDS = 60;

  private static TestStack stack;

  private MongoClient client;
  private MongoDatabase database;

  @BeforeAll
  static void startServer() {
    stack = TestStack.sharedMongo();
  }

  @BeforeEach
  void takeDatabaseOfItsOwn(TestInfo test) {
    client = MongoClients.create(stack.mongoUri());
    String name = test.getTestMethod().orElseThrow().getName();
    database = client.getDatabase(name.substring(0, Math.min(50, name.length())));
    database.drop();
  }

  @AfterEach
  void dropIt() {
    database.drop();
    client.close();
  }

  private HistoryPartitions partitions(HistoryOptions history) {
    return new HistoryPartitions(client, database.getName(), history);
  }

  private List<String> collections() {
    List<String> names = new ArrayList<>();
    for (Document listed : database.listCollections().filter(new Document("type", "collection"))) {
      names.add(listed.getString("name"));
    }
    names.remove("system.views");
    return names;
  }

  /** What the view shows, in its order; empty where there is none. */
  private List<String> shown() {
    Document view = database.listCollections().filter(new Document("name", VIEW)).first();
    if (view == null) {
      return List.of();
    }
    Document options = view.get("options", Document.class);
    List<String> shown = new ArrayList<>(List.of(options.getString("viewOn")));
    options
        .getList("pipeline", Document.class)
        .forEach(stage -> shown.add(stage.getString("$unionWith")));
    return shown;
  }

  private static LocatedRecord record(String user, String moment) {
    return new LocatedRecord(user, CELL, Instant.parse(moment).toEpochMilli(), POSITION);
  }

  private ServerWriter writer(HistoryOptions history) {
    return ServerWriter.history(
        stack.mongoUri(),
        database.getName(),
        history,
        ProvisionMode.AUTO,
        InstantSource.fixed(NOW));
  }

  /** What the job's first subtask does every few seconds: see ViewRefresher. */
  private void refreshView() throws ProvisionException {
    var unused = partitions(MONTHS).refreshView();
  }

  private Result command(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("partitions"));
    all.addAll(List.of(arguments));
    all.addAll(
        List.of("--mongo-uri", stack.mongoUri(), "--set", "mongo.database=" + database.getName()));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }

  @Test
  void anAnalystFindsEveryRecordThroughTheViewWhileTheJobMakesPartitions() throws Exception {
    try (ServerWriter job = writer(MONTHS)) {
      job.store(List.of(record("a", "2028-03-31T00:00:00Z"), record("b", "2028-02-29T23:59:59Z")));
      refreshView();
      assertThat(shown()).containsExactly("history_2028_04", "history_2028_03", "history_2028_02");

      job.store(List.of(record("a", "2020-02-29T00:00:00Z")));
      refreshView();
      assertThat(shown()).endsWith("history_2028_02", "history_2020_02");
    }
    assertThat(database.getCollection(VIEW).countDocuments()).isEqualTo(3);
    assertThat(database.getCollection(VIEW).find(new Document("user", "a")))
        .extracting(found -> found.getDate("ts").toInstant().toString())
        .containsExactly("2028-03-31T00:00:00Z", "2020-02-29T00:00:00Z");
  }

  @Test
  void whoAsksTheViewForAUserReadsTheUsersKeysOfEachPartitionAndNoMore() throws Exception {
    List<LocatedRecord> records = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      String moment = "2028-0%d-01T%02d:%02d:00Z".formatted(1 + i % 3, i / 60, i % 60);
      records.add(record("user-" + i % 20, moment));
    }
    try (ServerWriter job = writer(MONTHS)) {
      job.store(records);
    }
    refreshView();

    Document plan =
        database.runCommand(
            new Document(
                    "explain",
                    new Document("aggregate", VIEW)
                        .append(
                            "pipeline",
                            List.of(new Document("$match", new Document("user", "user-7"))))
                        .append("cursor", new Document()))
                .append("verbosity", "executionStats"));

    assertThat(plan.toJson()).contains("IXSCAN").doesNotContain("COLLSCAN");
    assertThat(database.getCollection(VIEW).countDocuments(new Document("user", "user-7")))
        .isEqualTo(records.stream().filter(record -> record.user().equals("user-7")).count());
  }

  @Test
  void aViewThatEightRefreshAtOnceEndsComplete() throws Exception {
    CyclicBarrier together = new CyclicBarrier(WRITERS);
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    List<Future<?>> racing = new ArrayList<>();
    try {
      for (int writer = 0; writer < WRITERS; writer++) {
        int year = 2000 + writer;
        racing.add(
            threads.submit(
                () -> {
                  // A client of its own, as each subtask has.
                  try (MongoClient own = MongoClients.create(stack.mongoUri())) {
                    HistoryPartitions mine = new HistoryPartitions(own, database.getName(), MONTHS);
                    together.await(LIMIT_SECONDS, TimeUnit.SECONDS);
                    for (int month = 1; month <= PARTITIONS_OF_EACH; month++) {
                      mine.ensure("history_%d_%02d".formatted(year, month), ProvisionMode.AUTO);
                      mine.refreshView();
                    }
                    // The first goes again: what the view shows shrinks, too.
                    mine.drop(partition("history_%d_01".formatted(year)));
                    mine.refreshView();
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

    assertThat(collections()).hasSize(WRITERS * (PARTITIONS_OF_EACH - 1));
    assertThat(shown())
        .isEqualTo(HistoryView.members("history", collections()))
        .isSortedAccordingTo(Collections.reverseOrder());
  }

  private static HistoryPartition partition(String name) {
    return HistoryPartition.parse("history", name).orElseThrow();
  }

  @Test
  void whatIsExpiredIsDroppedWholeAndTheViewFollows() throws Exception {
    try (ServerWriter job = writer(MONTHS)) {
      job.store(
          List.of(
              record("a", "2028-03-31T00:00:00Z"),
              record("a", "2028-02-29T00:00:00Z"),
              record("a", "2028-01-31T23:59:59Z"),
              record("a", "2020-02-29T00:00:00Z")));
    }
    List<String> dropped = new ArrayList<>();

    // January was over 60 days ago, February 30.
    partitions(KEPT_FOR_31_DAYS)
        .dropExpired(
            KEPT_FOR_31_DAYS.retention(), NOW, partition -> dropped.add(partition.collection()));

    assertThat(dropped).containsExactly("history_2020_02", "history_2028_01");
    assertThat(shown()).containsExactly("history_2028_04", "history_2028_03", "history_2028_02");
    assertThat(database.getCollection(VIEW).countDocuments()).isEqualTo(2);
  }

  @Test
  void theNumbersAndAlertsOfAnExpiredTimeAreDroppedWithItsPartition() throws Exception {
    HistoryOptions counted = KEPT_FOR_31_DAYS.withNumbers(List.of("counts", "trips", "alerts"));
    List.of("history_2028_01", "counts_2028_01", "trips_2028_01", "trips_2028_03", "stays_2028_01")
        .forEach(
            name ->
                database
                    .getCollection(name)
                    .insertOne(new Document("_id", new Document("by", "cell"))));
    database
        .getCollection("alerts_2028_01")
        .insertOne(new Document("_id", AlertConverter.id(TestAlerts.LEFT)));
    database.createCollection("counts_2027_12");
    // Of somebody else.
    database.getCollection("trips_2027_01").insertOne(new Document("name", "Sam"));
    List<String> dropped = new ArrayList<>();

    partitions(counted)
        .dropExpired(counted.retention(), NOW, partition -> dropped.add(partition.collection()));

    assertThat(dropped)
        .containsExactly(
            "history_2028_01",
            "counts_2027_12",
            "alerts_2028_01",
            "counts_2028_01",
            "trips_2028_01");
    assertThat(collections()).contains("trips_2028_03", "stays_2028_01", "trips_2027_01");
  }

  @Test
  void aLateRecordForADroppedPartitionDoesNotMakeItByItsInsert() throws Exception {
    LocatedRecord late = record("a", "2028-01-31T00:00:00Z");
    try (ServerWriter job = writer(KEPT_FOR_31_DAYS)) {
      job.store(List.of(late));
      partitions(KEPT_FOR_31_DAYS).dropExpired(KEPT_FOR_31_DAYS.retention(), NOW, partition -> {});
      assertThat(collections()).doesNotContain("history_2028_01");

      job.store(List.of(late));
    }
    refreshView();

    assertThat(
            database
                .getCollection("history_2028_01")
                .listIndexes()
                .map(index -> index.get("key", Document.class)))
        .contains(new Document("user", 1).append("ts", 1));
    assertThat(shown()).contains("history_2028_01");
  }

  @Test
  void withTheLastPartitionTheViewGoes() throws Exception {
    HistoryPartitions partitions = partitions(MONTHS);
    partitions.ensure("history_2028_01", ProvisionMode.AUTO);
    partitions.refreshView();
    assertThat(shown()).containsExactly("history_2028_01");

    partitions.drop(partition("history_2028_01"));
    partitions.refreshView();

    assertThat(shown()).isEmpty();
  }

  @Test
  void aCollectionInTheViewsPlaceIsShownAndHoldsUpNoRecord() throws Exception {
    database.createCollection(VIEW);
    try (ServerWriter job = writer(MONTHS)) {
      job.store(List.of(record("a", "2028-03-31T00:00:00Z")));
    }

    assertThat(database.getCollection("history_2028_03").countDocuments()).isEqualTo(1);
    assertThatThrownBy(() -> partitions(MONTHS).refreshView())
        .isInstanceOf(ProvisionException.class)
        .hasMessageContaining(
            database.getName() + ".history: kind: expected view, found collection; rename it");
    assertThat(partitions(TestHistory.withView(MONTHS, "")).refreshView()).isEmpty();
    assertThat(partitions(TestHistory.withView(MONTHS, "everything")).refreshView()).hasSize(1);
  }

  @Test
  void theCommandsCreateListShowAndDropPartitions() throws Exception {
    assertThat(
            command("create", "--from", "2020-01-31", "--to", "2020-03-01T00:00:00.001Z")
                .mustExitWith(0)
                .out())
        .containsSubsequence(
            "made        history_2020_01  2020-01-01T00:00:00Z to 2020-02-01T00:00:00Z",
            "made        history_2020_02",
            "made        history_2020_03");
    command("create").mustExitWith(0);
    assertThat(command("create", "--ahead", "2", "--json").mustExitWith(0).json().at("/partitions"))
        .extracting(entry -> entry.path("status").asText())
        .containsExactly("THERE", "THERE", "MADE");
    command("create", "--from", "2020-01-01").mustExitWith(2);
    assertThat(collections()).hasSize(6);
    try (ServerWriter job = writer(MONTHS)) {
      job.store(
          List.of(
              record("a", "2020-02-29T23:59:59.999Z"),
              record("b", "2020-02-01T00:00:00Z"),
              record("c", "2020-02-15T00:00:00Z")));
    }

    JsonNode listed = command("list", "--json").mustExitWith(0).json();
    assertThat(listed.path("partitions"))
        .extracting(entry -> entry.path("state").asText())
        .containsExactly("PAST", "PAST", "PAST", "CURRENT", "NEXT", "FUTURE");
    assertThat(command("list", "--set", "history.retention=31d").mustExitWith(0).out())
        .contains("history_2020_02  2020-02-01T00:00:00Z  2020-03-01T00:00:00Z  expired");

    JsonNode february = command("stats", "--json").mustExitWith(0).json().at("/partitions/1");
    assertThat(february.path("name").asText()).isEqualTo("history_2020_02");
    assertThat(february.at("/figures/records").asLong()).isEqualTo(3);
    assertThat(february.at("/figures/bytes").asLong()).isPositive();
    assertThat(february.at("/figures/indexBytes").asLong()).isPositive();
    assertThat(february.at("/figures/shards")).isEmpty();
    assertThat(february.path("oldest").asText()).isEqualTo("2020-02-01T00:00:00Z");
    assertThat(february.path("newest").asText()).isEqualTo("2020-02-29T23:59:59.999Z");
    assertThat(command("stats").mustExitWith(0).out()).contains("total");

    Result refused = command("drop", "--older-than", "P90D").mustExitWith(1);
    assertThat(refused.err())
        .startsWith("lastfix partitions drop: history.retention is not set")
        .contains("--force");
    command("drop", "--older-than", "90d", "--set", "history.retention=120 d").mustExitWith(1);
    assertThat(collections()).hasSize(6);

    String[] keptFor90Days = {"--set", "history.retention=90 d"};
    assertThat(statuses(drop(keptFor90Days, "--dry-run")))
        .containsExactly("WOULD_DROP", "WOULD_DROP", "WOULD_DROP");
    assertThat(collections()).hasSize(6);
    assertThat(statuses(drop(keptFor90Days))).containsExactly("DROPPED", "DROPPED", "DROPPED");
    assertThat(collections()).hasSize(3).noneMatch(name -> name.contains("2020"));
    assertThat(shown()).isEqualTo(HistoryView.members("history", collections()));
    assertThat(
            command(
                    "create",
                    "--from",
                    "2020-01-01",
                    "--to",
                    "2020-02-01",
                    keptFor90Days[0],
                    keptFor90Days[1])
                .mustExitWith(1)
                .err())
        .contains("history_2020_01 is expired by history.retention");
  }

  private Result drop(String[] settings, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("drop", "--older-than", "P90D", "--json"));
    arguments.addAll(List.of(settings));
    arguments.addAll(List.of(more));
    return command(arguments.toArray(String[]::new)).mustExitWith(0);
  }

  private static List<String> statuses(Result result) throws Exception {
    List<String> statuses = new ArrayList<>();
    result.json().path("partitions").forEach(entry -> statuses.add(entry.path("status").asText()));
    return statuses;
  }
}
