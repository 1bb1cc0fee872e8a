package io.lastfix.it;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.Message;
import io.lastfix.it.Scenario.TowerFact;
import io.lastfix.it.StoreFixture.Part;
import io.lastfix.stack.Installation;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The upgrade from the version that read no positions, as it really left its savepoint and both
 * collections: nothing is doubled, lost, or older, after the upgrade and after a replay of
 * everything.
 */
class PositionsUpgradeIT {
  /** When the present version followed: half of the messages are of records before it. */
  private static final Instant UPGRADE = Scenario.MIDDLE;

  private static final StoreFixture FIXTURE = StoreFixture.of("before-positions");
  private static final String LAST_KNOWN_LOCATION = "last_known_location";

  @TempDir private static Path directory;

  private static TestStack stack;

  private final Map<Part, List<Message>> messages = new TreeMap<>();
  private final Map<String, List<Document>> former = FIXTURE.collections();
  private final List<TowerFact> allTowers = FIXTURE.allTowers();

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @BeforeEach
  void readMessages() {
    for (Part part : Part.values()) {
      messages.put(part, FIXTURE.messages(part));
    }
  }

  /** So that a mistake of the fixture cannot pass for one of the upgrade, nor hide one. */
  @Test
  void theFormerVersionHasStoredWhatItRead() {
    List<Fact> read =
        facts(Part.STORED, Part.WAITING).stream().filter(fact -> fact.cell() != null).toList();
    assertThat(facts(Part.STORED, Part.WAITING))
        .as("records that the former version stored at their cell, and some that it rejected")
        .anyMatch(fact -> fact.own() != null && fact.cell() != null)
        .anyMatch(fact -> fact.own() != null && fact.cell() == null);
    Oracle oracle = new Oracle(FIXTURE.towers());
    Set<String> stored = identities(facts(Part.STORED));
    Map<String, Document> history = new TreeMap<>();
    for (Fact fact : atTheirCells(read)) {
      if (stored.contains(fact.identity()) || !isLate(fact)) {
        history.put(fact.identity(), withoutNews(Document.parse(oracle.historyDocument(fact))));
      }
    }
    assertSameDocuments("History", formerHistory(), history.values());

    Set<String> last = new TreeSet<>();
    oracle.lastKnownLocation(atTheirCells(read)).stream()
        .map(Document::parse)
        .forEach(document -> last.add(lastOf(document)));
    assertThat(former.get(LAST_KNOWN_LOCATION).stream().map(PositionsUpgradeIT::lastOf))
        .containsExactlyInAnyOrderElementsOf(last);
  }

  @Test
  void nothingIsDoubledLostOrOlderAfterTheUpgradeNorAfterAReplayOfEverything() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            FIXTURE.folder().getFileName().toString(),
            "kafka.new-topic.partitions=1",
            "parse.positions-since=" + UPGRADE)) {
      SavepointFixture.keepRemovals(run);
      former.forEach((name, all) -> run.database().getCollection(name).insertMany(all));
      // The very messages that are before the savepoint's offsets.
      run.publish(FIXTURE.towers());
      run.send(messages.get(Part.STORED));
      run.send(messages.get(Part.WAITING));

      try (LastKnownLocationWatch watch = new LastKnownLocationWatch(run)) {
        Instant began = Instant.now();
        String upgraded =
            run.submit(
                Installation.jobJar(),
                FIXTURE.savepoint().toUri().toString(),
                "locate.max-wait=10 min");
        Duration outage = Duration.between(began, Instant.now());
        long waiting = facts(Part.WAITING).stream().filter(PositionsUpgradeIT::isLate).count();
        assertThat(waiting).isPositive();
        await("the records wait that the savepoint holds")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.metrics(upgraded).waiting() == waiting);
        run.publish(FIXTURE.lateTowers());
        run.send(messages.get(Part.AFTER));
        run.drain(upgraded);
        assertThat(recordsOf(run, upgraded))
            .as("records of the savepoint and of the messages after its offsets")
            .isEqualTo(
                waiting + messages.get(Part.AFTER).stream().mapToLong(Message::records).sum());
        assertHoldsAfterTheUpgrade(run);
        watch.assertNobodyWentBack();

        run.cancel(upgraded);
        run.send(messages.get(Part.AT_REPLAY));
        String replay =
            run.submit(Installation.jobJar(), null, "source.start=earliest", "job.parallelism=3");
        // At first the group's offsets are those of the job before, so a drain alone could end
        // early.
        long all = everything().stream().mapToLong(Message::records).sum();
        await("the replay has read everything")
            .atMost(LocationRun.LIMIT)
            .until(() -> recordsOf(run, replay) >= all);
        run.drain(replay);
        assertThat(recordsOf(run, replay)).as("records of all messages").isEqualTo(all);
        assertHoldsAfterTheReplay(run);
        watch.assertNobodyWentBack();
        FaultReport.of("Upgrade from the version before positions, and a replay of everything")
            .count(formerHistory().size(), "documents of the former version")
            .count(waiting, "records waited in its savepoint")
            .count(all, "records replayed")
            .time("start from the savepoint", outage)
            .print();
      }
      run.assertRejected(everything(), run.distinctRejected());
    }
  }

  private void assertHoldsAfterTheUpgrade(LocationRun run) {
    // Those without a cell the former version has rejected, if it has read them.
    List<Fact> facts =
        Stream.concat(
                facts(Part.STORED, Part.WAITING).stream().filter(fact -> fact.cell() != null),
                facts(Part.AFTER).stream())
            .map(PositionsUpgradeIT::asToday)
            .toList();
    Set<String> readWithAllTowers = identities(asToday(facts(Part.WAITING, Part.AFTER)));
    Oracle oracle =
        new Oracle(
            fact -> readWithAllTowers.contains(fact.identity()) ? allTowers : FIXTURE.towers());
    assertSameDocuments("History", history(run), expectedHistory(oracle, facts));
    Set<String> found = new TreeSet<>();
    for (Document document : lastKnownLocation(run)) {
      Document last = document.get("last", Document.class);
      // A document that nobody has changed yet: the position of a cell.
      last.putIfAbsent("src", "cell");
      last.putIfAbsent("acc", null);
      document.putIfAbsent("fix", null);
      found.add(Oracle.comparable(document));
    }
    LocationRun.assertSame(LAST_KNOWN_LOCATION, found, oracle.lastKnownLocation(facts));
  }

  private void assertHoldsAfterTheReplay(LocationRun run) {
    List<Fact> facts = asToday(facts(Part.values()));
    Oracle oracle = new Oracle(allTowers);
    assertSameDocuments("History", history(run), expectedHistory(oracle, facts));
    Set<String> found = new TreeSet<>();
    lastKnownLocation(run).forEach(document -> found.add(Oracle.comparable(document)));
    LocationRun.assertSame(LAST_KNOWN_LOCATION, found, oracle.lastKnownLocation(facts));
  }

  /**
   * What the oracle says; but a document of the former version stays as it is, unless it lacked a
   * position that is known now.
   */
  private Collection<Document> expectedHistory(Oracle oracle, List<Fact> facts) {
    Map<String, Document> formerByRecord = new TreeMap<>();
    formerHistory().forEach(document -> formerByRecord.put(recordOf(document), document));
    Map<String, Document> expected = new TreeMap<>();
    for (Fact fact : facts) {
      Document today = Document.parse(oracle.historyDocument(fact));
      Document before = fact.own() == null ? formerByRecord.remove(recordOf(today)) : null;
      boolean isCompleted =
          before != null && !before.containsKey("loc") && today.containsKey("loc");
      expected.putIfAbsent(fact.identity(), before == null || isCompleted ? today : before);
    }
    assertThat(formerByRecord).as("documents of the former version of no message").isEmpty();
    return expected.values();
  }

  private static String recordOf(Document document) {
    return Stream.of("user", "ts", "cell").map(document::get).toList().toString();
  }

  private List<Message> everything() {
    return messages.values().stream().flatMap(List::stream).toList();
  }

  private List<Fact> facts(Part... parts) {
    return Arrays.stream(parts)
        .flatMap(part -> messages.get(part).stream())
        .flatMap(message -> message.facts().stream())
        .toList();
  }

  private static List<Fact> asToday(List<Fact> facts) {
    return facts.stream().map(PositionsUpgradeIT::asToday).toList();
  }

  /** A record of before the upgrade is at its cell, if it names one. */
  private static Fact asToday(Fact fact) {
    return fact.ts().isBefore(UPGRADE) ? atItsCell(fact) : fact;
  }

  private static List<Fact> atTheirCells(List<Fact> facts) {
    return facts.stream().map(PositionsUpgradeIT::atItsCell).toList();
  }

  private static Fact atItsCell(Fact fact) {
    return fact.cell() == null
        ? fact
        : new Fact(
            fact.user(), fact.mcc(), fact.mnc(), fact.area(), fact.cid(), fact.radio(), fact.ts());
  }

  private static Set<String> identities(Collection<Fact> facts) {
    return facts.stream().map(Fact::identity).collect(toSet());
  }

  /** In one of the cells that come late. */
  private static boolean isLate(Fact fact) {
    return fact.mnc() == Scenario.LATE_MNC;
  }

  private static Document withoutNews(Document document) {
    document.remove("src");
    document.remove("radio");
    return document;
  }

  /** What the former version had of a document of Last Known Location. */
  private static String lastOf(Document document) {
    Document last = document.get("last", Document.class);
    last.remove("src");
    last.remove("acc");
    return new Document("_id", document.get("_id")).append("last", last).toJson();
  }

  private static long recordsOf(LocationRun run, String job) throws Exception {
    var metrics = run.metrics(job);
    return metrics.historyInserted()
        + metrics.historyDuplicates()
        + metrics.rejectedByReason().values().stream().mapToLong(Long::longValue).sum();
  }

  private List<Document> formerHistory() {
    return former.entrySet().stream()
        .filter(collection -> isHistory(collection.getKey()))
        .flatMap(collection -> collection.getValue().stream())
        .map(PositionsUpgradeIT::withoutId)
        .toList();
  }

  private static List<Document> history(LocationRun run) {
    List<Document> documents = new ArrayList<>();
    for (String name : run.historyCollections()) {
      run.database().getCollection(name).find().map(PositionsUpgradeIT::withoutId).into(documents);
    }
    return documents;
  }

  private static List<Document> lastKnownLocation(LocationRun run) {
    return run.database().getCollection(LAST_KNOWN_LOCATION).find().into(new ArrayList<>());
  }

  private static boolean isHistory(String collection) {
    return collection.startsWith("history_");
  }

  private static Document withoutId(Document document) {
    Document without = new Document(document);
    without.remove("_id");
    return without;
  }

  /** Lists, not sets: a doubled document would be equal to another. */
  private static void assertSameDocuments(
      String what, Collection<Document> found, Collection<Document> expected) {
    List<String> foundTexts = found.stream().map(Document::toJson).sorted().toList();
    List<String> expectedTexts = expected.stream().map(Document::toJson).sorted().toList();
    LocationRun.assertSame(what, new TreeSet<>(foundTexts), new TreeSet<>(expectedTexts));
    assertThat(foundTexts).as("documents of %s", what).isEqualTo(expectedTexts);
  }
}
