package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Projections;
import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.Own;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.model.CellId;
import io.lastfix.model.Place;
import io.lastfix.stack.Installation;
import io.lastfix.stack.flink.FlinkRest;
import io.lastfix.stack.flink.FlinkRest.Aggregation;
import io.lastfix.stack.flink.StopWithSavepoint;
import io.lastfix.store.history.HistoryId;
import io.lastfix.upgrade.ChangedLocationJob;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Jobs that go on from savepoints: of another parallelism, of changed code, of earlier releases.
 */
class UpgradeIT {
  private static final long SEED = 20261125;

  /** When the present release followed those of the savepoints. */
  private static final Instant POSITIONS_SINCE = Instant.parse("2026-06-20T00:00:00Z");

  private static final DateTimeFormatter MLP_TIME =
      DateTimeFormatter.ofPattern("yyyyMMddHHmmss", Locale.ROOT).withZone(ZoneOffset.UTC);
  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(100, 500);

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void nothingIsLostOrDoubledOverAnUpgradeToChangedCodeAnotherParallelismAndAnotherBackend()
      throws Exception {
    Scenario scenario = new Scenario(SEED, Chaos.shortOrLong(4_500, 100_000));
    // Without those that would wait for ever: nothing is drained while a record waits.
    List<Message> messages =
        scenario.withoutUnknownCells(
            Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList());
    List<TowerFact> towers = scenario.allTowers();
    Path changedJar = ChangedJar.make(directory);
    try (LocationRun run = new LocationRun(stack, directory, "upgrade", "locate.max-wait=10 min")) {
      run.publish(scenario.towers());
      String first = run.submit(Installation.jobJar(), null, "job.parallelism=2");
      try (Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        awaitWaiting(run, first);
        Instant stopped = Instant.now();
        String savepoint = stop(first);
        String second = run.submit(changedJar, savepoint, "job.parallelism=3");
        Duration outage = Duration.between(stopped, Instant.now());
        assertThat(run.metrics(second).waiting()).as("records that still wait").isPositive();
        awaitCatalogCounted(second, scenario.towers());
        // Its group is new, and nothing has come into the catalogue since the savepoint.
        await("the restored job has committed the catalogue's offsets in its own group")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.lagOfCells(run.catalogGroup(second)) == 0);

        String onRocksDb =
            run.submit(
                changedJar,
                stop(second),
                "job.parallelism=4",
                "flink.state.backend.type=rocksdb",
                "flink.execution.checkpointing.incremental=true");
        run.publish(scenario.lateTowers());
        load.finish();
        run.drain(onRocksDb);
        run.assertHolds(new Oracle(towers), messages);
        run.assertRejected(messages, run.distinctRejected());
        run.assertLedgerBalances(onRocksDb, messages.stream().mapToLong(Message::records).sum());
        FaultReport.of("Upgrade to changed code, parallelism 2 to 3, then to RocksDB at 4")
            .count(messages.stream().mapToLong(Message::records).sum(), "records")
            .time("outage of the first step", outage)
            .print();
      }
    }
  }

  private static void awaitWaiting(LocationRun run, String job) {
    await("records wait for their cell")
        .atMost(LocationRun.LIMIT)
        .until(() -> run.metrics(job).waiting() > 0);
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  /** The operator that only the changed code has reads the catalogue from its beginning. */
  private static void awaitCatalogCounted(String job, List<TowerFact> towers) {
    FlinkRest flink = stack.flink();
    double messages = towers.stream().map(TowerFact::cell).distinct().count();
    await("the added operator has counted the catalogue")
        .atMost(LocationRun.LIMIT)
        .until(
            () ->
                flink
                    .metrics(job, ChangedLocationJob.COUNT_METRIC::equals, Aggregation.SUM)
                    .containsValue(messages));
  }

  @ParameterizedTest
  @MethodSource("releases")
  void aSavepointOfAnEarlierReleaseIsRestoredWithItsCellsItsWaitingRecordsAndItsOffsets(
      String release) throws Exception {
    SavepointFixture fixture = SavepointFixture.of(release);
    try (LocationRun run = fixture.run(stack, directory)) {
      // As many messages as the savepoint's offsets say, but others: what is before these offsets
      // must not be read.
      run.send(fixture.others(fixture.storedMessages().size() + fixture.waitingMessages().size()));
      run.publish(fixture.otherTowers());
      String job =
          fixture.restore(run, stack, directory, "parse.positions-since=" + POSITIONS_SINCE);
      assertThat(run.metrics(job).waiting())
          .as("records that the savepoint holds")
          .isEqualTo(fixture.waitingMessages().size());

      run.publish(List.of(fixture.lateTower()));
      List<Message> more = fixture.messagesAfter();
      run.send(more);
      run.drain(job);

      run.assertHolds(
          new Oracle(fixture.towers()),
          Stream.concat(fixture.waitingMessages().stream(), more.stream()).toList());
      run.assertRejected(more, run.distinctRejected());
      // That release had no ledger: it begins with what waits in the savepoint.
      run.assertLedgerBalances(
          job, fixture.waitingMessages().size() + more.stream().mapToLong(Message::records).sum());

      replayEverythingOverDocumentsOfAFormerRelease(run, fixture, job);
    }
  }

  /** Both collections then hold documents of both releases, and every record comes once more. */
  private static void replayEverythingOverDocumentsOfAFormerRelease(
      LocationRun run, SavepointFixture fixture, String job) throws Exception {
    Oracle oracle = new Oracle(fixture.towers());
    List<Message> messages = new ArrayList<>(fixture.storedMessages());
    // That release read no shape, and stored such a record at its cell.
    Instant before = POSITIONS_SINCE.minusSeconds(1);
    messages.add(withCgiAndShape(new Fact("shape-1", 310, 1, 7, 101, null, before)));
    messages.add(
        withCgiAndShape(new Fact("shape-2", 310, 1, 7, 101, null, before.minusSeconds(60))));
    List<Fact> stored = messages.stream().flatMap(message -> message.facts().stream()).toList();
    List<Document> history = new ArrayList<>();
    List<Document> lastKnown = new ArrayList<>();
    for (Fact fact : stored) {
      Document document =
          Document.parse(
              oracle.history(List.of(fact)).values().iterator().next().iterator().next());
      document.remove("src");
      Document withId =
          new Document(
              "_id",
              HistoryId.of(
                  fact.user(),
                  fact.ts().toEpochMilli(),
                  new Place.AtCell(CellId.parse(fact.cell()), null)));
      withId.putAll(document);
      history.add(withId);
      Document last = new Document(document);
      last.remove("user");
      lastKnown.add(new Document("_id", fact.user()).append("last", last));
    }
    MongoCollection<Document> partition = run.database().getCollection("history_2026_06");
    partition.insertMany(history);
    run.database()
        .getCollection(run.config().lastKnownLocation().collection())
        .insertMany(lastKnown);
    long documents = partition.countDocuments();

    List<Message> everything = new ArrayList<>(messages);
    everything.addAll(fixture.waitingMessages());
    everything.addAll(fixture.messagesAfter());
    Message news =
        withCgiAndShape(
            new Fact("shape-1", 310, 1, 7, 101, null, POSITIONS_SINCE)
                .beside(new Own(-0.12, 51.5, 25.0, null, "mlp")));
    everything.add(news);
    run.send(everything);
    run.drain(job);

    assertThat(partition.countDocuments())
        .as("nothing is doubled, one record is new")
        .isEqualTo(documents + 1);
    assertThat(partition.countDocuments(Filters.eq("src", "mlp")))
        .as("records at a position of their own")
        .isEqualTo(1);
    for (Document former : history) {
      Document found =
          partition
              .find(new Document("_id", former.remove("_id")))
              .projection(Projections.excludeId())
              .first();
      assertThat(found).as("a document of a former release stays as it is").isEqualTo(former);
    }
    List<Fact> facts = everything.stream().flatMap(message -> message.facts().stream()).toList();
    Set<String> found = new TreeSet<>();
    run.database()
        .getCollection(run.config().lastKnownLocation().collection())
        .find()
        .forEach(document -> found.add(Oracle.comparable(document)));
    assertThat(found).isEqualTo(oracle.lastKnownLocation(facts));
  }

  /** A message of MLP as it always was, whatever a release reads of it. */
  private static Message withCgiAndShape(Fact fact) {
    String text =
        """
        <svc_result ver="3.4.0"><slia ver="3.4.0"><pos><msid>%s</msid><pd>
        <time utc_off="+0000">%s</time><shape><CircularArea>
        <coord><X>51.5</X><Y>-0.12</Y></coord><radius>25</radius></CircularArea></shape></pd>
        <gsm_net_param><cgi><mcc>%d</mcc><mnc>%d</mnc><lac>%d</lac><cellid>%d</cellid></cgi>
        </gsm_net_param></pos></slia></svc_result>
        """
            .formatted(
                fact.user(),
                MLP_TIME.format(fact.ts()),
                fact.mcc(),
                fact.mnc(),
                fact.area(),
                fact.cid());
    return new Message("mlp", text, List.of(fact), null);
  }

  private static List<String> releases() {
    return SavepointFixture.releases();
  }
}
