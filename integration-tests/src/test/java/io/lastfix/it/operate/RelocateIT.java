package io.lastfix.it.operate;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.exists;
import static com.mongodb.client.model.Updates.unset;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoCollection;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.Jobs;
import io.lastfix.model.CellId;
import io.lastfix.model.Place;
import io.lastfix.store.history.HistoryId;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Positions found later: {@code lastfix relocate} beside the stream. */
class RelocateIT {
  private static final long SEED = 20261124;
  private static final int SIGHTINGS = 3_000;
  private static final int FEW_SIGHTINGS = 1_000;
  private static final List<String> PARTITIONS = List.of("history_2025_12", "history_2026_01");
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void exactlyTheRecordsWhoseCellIsKnownByNowGetItsPositionAndASecondRunFindsNothing()
      throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    try (LocationRun run =
        new LocationRun(
            stack, directory, "relocate", "job.parallelism=2", "locate.max-wait=100 ms")) {
      List<Message> sent = new ArrayList<>(scenario.firstHalf());
      sent.addAll(scenario.secondHalf());
      String job = run.submitAndStore(scenario.towers(), sent);
      run.assertHolds(new Oracle(scenario.towers()), sent);
      Map<String, Document> before = history(run);
      Set<String> lastKnownBefore = lastKnownLocation(run);
      run.publish(scenario.lateTowers());
      run.drain(job);

      Map<String, Document> expected = expectedLater(run, scenario, sent);
      long unlocated = before.values().stream().filter(d -> !d.containsKey("loc")).count();
      assertThat(expected.size()).as("records found later").isBetween(20, (int) unlocated - 1);

      JsonNode counted = relocate(run, "--dry-run").mustExitWith(0).json();
      assertThat(counted.path("documents").asLong()).isEqualTo(unlocated);
      assertThat(counted.path("located").asLong()).isEqualTo(expected.size());
      assertThat(counted.path("unknownCell").asLong() + counted.path("ambiguousCell").asLong())
          .isEqualTo(unlocated - expected.size());
      assertThat(counted.path("dryRun").asBoolean()).isTrue();
      assertThat(counted.path("written").asLong()).isZero();
      assertThat(history(run)).isEqualTo(before);
      assertThat(lastKnownLocation(run)).isEqualTo(lastKnownBefore);

      Instant began = Instant.now().truncatedTo(ChronoUnit.MILLIS);
      Instant middle = middleOf(expected.values());
      Map<String, Document> later = new TreeMap<>(expected);
      later.values().removeIf(document -> isBefore(document, middle));
      JsonNode found = relocate(run, "--from", middle.toString()).mustExitWith(0).json();
      assertThat(found.path("documents").asLong())
          .isEqualTo(unlocated - unlocatedBefore(middle, before));
      assertThat(found.path("located").asLong()).isEqualTo(later.size());
      assertThat(found.path("written").asLong()).isEqualTo(later.size());
      assertThat(found.path("restarts").asLong()).isZero();
      assertThatOnlyTheseAreLocated(run, later, before, began);

      JsonNode rest = relocate(run, "--to", middle.toString()).mustExitWith(0).json();
      assertThat(rest.path("documents").asLong()).isEqualTo(unlocatedBefore(middle, before));
      assertThat(rest.path("located").asLong()).isEqualTo(expected.size() - later.size());
      assertThat(rest.path("written").asLong()).isEqualTo(expected.size() - later.size());
      assertThatOnlyTheseAreLocated(run, expected, before, began);
      assertThat(lastKnownLocation(run)).isEqualTo(lastKnownLocationOf(scenario, sent));

      Map<String, Document> stored = history(run);
      JsonNode again = relocate(run).mustExitWith(0).json();
      assertThat(again.path("documents").asLong()).isEqualTo(unlocated - expected.size());
      assertThat(again.path("located").asLong()).isZero();
      assertThat(again.path("written").asLong()).isZero();
      assertThat(history(run)).isEqualTo(stored);
    }
  }

  /** The stream stores new records of the same users, and completes records of its own. */
  @Test
  void besideTheStreamAndItsReplayEachRecordIsLocatedAndTheAuditIsClean() throws Exception {
    Scenario scenario = new Scenario(SEED + 4, FEW_SIGHTINGS);
    try (LocationRun run =
        new LocationRun(
            stack, directory, "beside-the-stream", "job.parallelism=2", "locate.max-wait=100 ms")) {
      List<Message> sent = new ArrayList<>(scenario.firstHalf());
      String job = run.submitAndStore(scenario.towers(), sent);
      run.publish(scenario.lateTowers());
      run.drain(job);
      // Half of the messages: the records of the others have nobody but relocate to locate them.
      List<Message> meanwhile = new ArrayList<>(sent.subList(0, sent.size() / 2));
      meanwhile.addAll(scenario.secondHalf());
      Collections.shuffle(meanwhile, new Random(SEED));

      try (LastKnownLocationWatch watch = new LastKnownLocationWatch(run)) {
        JsonNode found;
        try (SlowSender sender = new SlowSender(run, meanwhile)) {
          found = relocate(run).mustExitWith(0).json();
          sender.sendTheRest();
        }
        sent.addAll(meanwhile);
        run.drain(job);

        watch.assertNobodyWentBack();
        long later = 0;
        for (String name : PARTITIONS) {
          later += run.database().getCollection(name).countDocuments(exists("located"));
        }
        assertThat(later).as("records located by relocate").isPositive();
        assertThat(found.path("written").asLong()).isEqualTo(later);
        JsonNode audit = LastfixInProcess.run(run, "audit", "--json").mustExitWith(0).json();
        assertThat(audit.path("clean").asBoolean()).isTrue();
        assertThat(audit.path("history").asLong()).isEqualTo(run.historyDocuments());
      }
      for (String name : PARTITIONS) {
        run.database().getCollection(name).updateMany(exists("located"), unset("located"));
      }
      run.assertHolds(new Oracle(scenario.allTowers()), sent);
    }
  }

  @Test
  void aRecordThatNamedNoRadioGetsThePositionOfItsOnlyTowerAndItsTimeIsShown() throws Exception {
    Scenario scenario = new Scenario(SEED + 3, 10);
    try (LocationRun run = new LocationRun(stack, directory, "no-radio", "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      Scenario.TowerFact tower = scenario.lateTowers().get(0);
      Place place = new Place.AtCell(CellId.parse(tower.cell()), null);
      Instant ts = Instant.parse("2026-01-10T00:00:00Z");
      MongoCollection<Document> history = run.database().getCollection("history_2026_01");
      history.insertOne(
          new Document("_id", HistoryId.of("a", ts.toEpochMilli(), place))
              .append("user", "a")
              .append("ts", Date.from(ts))
              .append("cell", tower.cell())
              .append("radio", null));

      assertThat(relocate(run).mustExitWith(0).json().path("documents").asLong()).isEqualTo(1);

      assertThat(users(run)).containsExactly("a");
      Date located =
          Objects.requireNonNull(history.find(eq("user", "a")).first()).getDate("located");
      JsonNode shown = LastfixInProcess.run(run, "history", "a", "--json").mustExitWith(0).json();
      assertThat(shown.path("sightings").get(0).path("located").asText())
          .isEqualTo(located.toInstant().toString());
    }
  }

  @Test
  void eachImportReadsFromTheOldestRecordThatStaysUnknownAndStartsNothingBesideAnotherRun()
      throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "after-import",
            "job.parallelism=1",
            "history.relocate=after-import")) {
      storeUnlocated(run, "history_2025_12", "unknown", Instant.parse("2025-12-03T00:00:00Z"), 9);
      storeUnlocated(run, "history_2026_01", "late", Instant.parse("2026-01-10T00:00:00Z"), 1);
      String fromTheOldest = "Started relocate, for records from 2025-12-01T00:00:00Z on";

      assertThat(importCell(run, 1).out()).contains(fromTheOldest);
      awaitNoRelocate(run);
      assertThat(users(run)).containsExactly("late");
      assertThat(importCell(run, 2).out()).contains(fromTheOldest);
      awaitNoRelocate(run);

      // It waits for more slots than the cluster has.
      String waiting =
          relocate(run, "--detach", "--parallelism", "100")
              .mustExitWith(0)
              .json()
              .path("id")
              .asText();
      try {
        Result beside = importCell(run, 3);
        assertThat(beside.out()).doesNotContain("Started relocate");
        assertThat(beside.err()).contains("relocate runs already (%s)".formatted(waiting));
      } finally {
        stack.flink().cancel(waiting);
        awaitNoRelocate(run);
      }
    }
  }

  private static void storeUnlocated(
      LocationRun run, String partition, String user, Instant ts, int cid) {
    Place place = new Place.AtCell(new CellId(1, 2, 3, cid), null);
    run.database()
        .getCollection(partition)
        .insertOne(
            new Document("_id", HistoryId.of(user, ts.toEpochMilli(), place))
                .append("user", user)
                .append("ts", Date.from(ts))
                .append("cell", "1-2-3-" + cid)
                .append("radio", "LTE"));
  }

  private static Result importCell(LocationRun run, int cid) throws Exception {
    Path file =
        Files.writeString(
            directory.resolve("cell-%d.csv".formatted(cid)),
            """
            radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal
            LTE,1,2,3,%d,0,-122.4,37.75,1000,21,1,1458613761,1491242559,0
            """
                .formatted(cid));
    return LastfixInProcess.run(
            run, "catalog", "import", file.toString(), "--flink", stack.flinkUrl())
        .mustExitWith(0);
  }

  private static void awaitNoRelocate(LocationRun run) {
    String name = Jobs.RELOCATE.nameIn(run.config());
    await()
        .atMost(LIMIT)
        .until(() -> stack.flink().jobs().stream().noneMatch(job -> job.isUnfinished(name)));
  }

  /** Of a run cut off in between, Last Known Location must have what History does no longer say. */
  @Test
  void aRunCutOffHalfWayLosesNothing() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, 10);
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "cut-off",
            "sink.max-records-per-bulk=20",
            "sink.max-bulks-in-flight=1",
            "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      Scenario.TowerFact tower = scenario.lateTowers().get(0);
      MongoCollection<Document> history = run.database().getCollection("history_2026_01");
      Place place = new Place.AtCell(CellId.parse(tower.cell()), null);
      int users = 40_000;
      Instant ts = Instant.parse("2026-01-10T00:00:00Z");
      List<Document> documents = new ArrayList<>();
      for (int user = 0; user < users; user++) {
        documents.add(
            new Document("_id", HistoryId.of("user" + user, ts.toEpochMilli() + user, place))
                .append("user", "user" + user)
                .append("ts", Date.from(ts.plusMillis(user)))
                .append("cell", tower.cell())
                .append("radio", tower.radio()));
      }
      history.insertMany(documents);

      String id = relocate(run, "--detach").mustExitWith(0).json().path("id").asText();
      await()
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> history.countDocuments(exists("located")) > 0);
      stack.flink().cancel(id);
      await()
          .atMost(LIMIT)
          .until(
              () ->
                  stack.flink().jobs().stream()
                      .anyMatch(known -> known.id().equals(id) && known.isOver()));

      long filled = history.countDocuments(exists("located"));
      assertThat(filled).as("documents with a position after the cut").isLessThan(users);
      Set<String> known = users(run);
      for (Document document : history.find(exists("located"))) {
        assertThat(known).contains(document.getString("user"));
      }

      JsonNode rest = relocate(run).mustExitWith(0).json();
      assertThat(rest.path("located").asLong()).isEqualTo(users - filled);
      assertThat(rest.path("written").asLong()).isEqualTo(users - filled);
      assertThat(history.countDocuments(exists("loc", false))).isZero();
      assertThat(users(run)).hasSize(users);
    }
  }

  /** A document that was inserted by hand has another {@code _id} than its record. */
  @Test
  void onlyDocumentsThatGetTheirPositionCountAsWritten() throws Exception {
    Scenario scenario = new Scenario(SEED + 2, 10);
    try (LocationRun run =
        new LocationRun(stack, directory, "counted-writes", "job.parallelism=2")) {
      run.publish(scenario.allTowers());
      Scenario.TowerFact tower = scenario.lateTowers().get(0);
      Place place = new Place.AtCell(CellId.parse(tower.cell()), null);
      Instant ts = Instant.parse("2026-01-10T00:00:00Z");
      Document document =
          new Document("user", "user")
              .append("ts", Date.from(ts))
              .append("cell", tower.cell())
              .append("radio", tower.radio());
      Document stored = new Document("_id", HistoryId.of("user", ts.toEpochMilli(), place));
      stored.putAll(document);
      run.database()
          .getCollection("history_2026_01")
          .insertMany(List.of(stored, document.append("user", "by-hand")));

      String output = relocate(run, false).mustExitWith(0).out();

      assertThat(output)
          .containsSubsequence(
              "Read 2 records without a position in ",
              "Of 2 the cell is known by now, of 0 still unknown, of 0 several towers match",
              "1 records got their position")
          .doesNotContain("restarted");
    }
  }

  /** What the documents must be that get a position, by {@code _id}. */
  private static Map<String, Document> expectedLater(
      LocationRun run, Scenario scenario, List<Message> sent) {
    Oracle now = new Oracle(scenario.allTowers());
    Map<String, Document> byContent = new TreeMap<>();
    now.history(facts(sent).filter(fact -> fact.own() == null).toList())
        .values()
        .forEach(
            documents ->
                documents.forEach(
                    json -> {
                      Document document = Document.parse(json);
                      if (document.containsKey("loc")) {
                        byContent.put(identity(document), document);
                      }
                    }));
    Map<String, Document> expected = new TreeMap<>();
    history(run)
        .forEach(
            (id, document) -> {
              Document located = byContent.get(identity(document));
              if (!document.containsKey("loc") && located != null) {
                expected.put(id, located);
              }
            });
    return expected;
  }

  /** One of them has that instant: it is the first of the later part. */
  private static Instant middleOf(Collection<Document> documents) {
    return documents.stream()
        .map(document -> document.getDate("ts").toInstant())
        .sorted()
        .skip(documents.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  private static boolean isBefore(Document document, Instant instant) {
    return document.getDate("ts").toInstant().isBefore(instant);
  }

  private static long unlocatedBefore(Instant instant, Map<String, Document> history) {
    return history.values().stream()
        .filter(document -> !document.containsKey("loc") && isBefore(document, instant))
        .count();
  }

  private static void assertThatOnlyTheseAreLocated(
      LocationRun run, Map<String, Document> located, Map<String, Document> before, Instant began) {
    Map<String, Document> after = history(run);
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach(
        (id, document) -> {
          if (located.containsKey(id)) {
            assertThat(document.getDate("located").toInstant())
                .as(id)
                .isBetween(began, Instant.now());
            document.remove("located");
            assertThat(document).as(id).isEqualTo(located.get(id));
          } else {
            assertThat(document).as(id).isEqualTo(before.get(id));
          }
        });
  }

  private static String identity(Document document) {
    return document.getString("user")
        + "|"
        + document.getDate("ts").toInstant()
        + "|"
        + document.getString("cell");
  }

  private static Set<String> lastKnownLocationOf(Scenario scenario, List<Message> sent) {
    Oracle now = new Oracle(scenario.allTowers());
    return now.lastKnownLocation(facts(sent).toList());
  }

  private static Stream<Fact> facts(List<Message> sent) {
    return sent.stream().flatMap(message -> message.facts().stream());
  }

  private static Map<String, Document> history(LocationRun run) {
    Map<String, Document> documents = new TreeMap<>();
    for (String name : PARTITIONS) {
      for (Document document : run.database().getCollection(name).find()) {
        documents.put(String.valueOf(document.remove("_id")), document);
      }
    }
    return documents;
  }

  private static Set<String> lastKnownLocation(LocationRun run) {
    Set<String> documents = new TreeSet<>();
    lastKnown(run).find().forEach(document -> documents.add(Oracle.comparable(document)));
    return documents;
  }

  private static Set<String> users(LocationRun run) {
    Set<String> users = new TreeSet<>();
    lastKnown(run).find().forEach(document -> users.add(document.getString("_id")));
    return users;
  }

  private static MongoCollection<Document> lastKnown(LocationRun run) {
    return run.database().getCollection(run.config().lastKnownLocation().collection());
  }

  private static Result relocate(LocationRun run, String... more) throws Exception {
    return relocate(run, true, more);
  }

  private static Result relocate(LocationRun run, boolean json, String... more) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("relocate", "--flink", stack.flinkUrl()));
    if (json) {
      arguments.add("--json");
    }
    arguments.addAll(List.of(more));
    return LastfixInProcess.run(run, arguments.toArray(String[]::new));
  }
}
