package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.flink.FlinkRest;
import io.lastfix.cluster.flink.LocationMetrics;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.Scenario.TowerFact;
import io.lastfix.it.harness.Scenario.Version;
import io.lastfix.it.harness.TestStack;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.local.ServerProcess;
import io.lastfix.workload.Gzip;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A catalogue that comes after the records, too late, or changed, or not at all because its file is
 * broken; and a TaskManager that is killed while records wait for it. No record is lost, and none
 * gets coordinates that the catalogue did not have when it came in.
 */
class CatalogFaultsIT {
  private static final long SEED = 20261121;
  private static final int SIGHTINGS = Chaos.shortOrLong(1_500, 60_000);

  private static final String HEADER =
      "radio,mcc,net,area,cell,unit,lon,lat,range,samples,changeable,created,updated,averageSignal";

  private static final int RANGE_IN_FILES = 1_000;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void recordsOfACatalogueThatComesTooLateStayWithoutCoordinatesAndAChangeMovesNoneThatIsStored()
      throws Exception {
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    List<TowerFact> towers = scenario.allTowers();
    List<TowerFact> moved = towers.stream().map(CatalogFaultsIT::movedFromTheBeginning).toList();
    List<List<Message>> parts = inThree(allMessages(scenario));
    Set<String> tooEarly = identities(parts.get(0));
    Set<String> beforeTheChange = identities(parts.get(1));
    Oracle oracle =
        new Oracle(
            fact ->
                tooEarly.contains(fact.identity())
                    ? List.of()
                    : beforeTheChange.contains(fact.identity()) ? towers : moved);
    try (LocationRun run =
        new LocationRun(
            stack, directory, "late-catalog", "job.parallelism=2", "locate.max-wait=2 s")) {
      String job = run.submit();
      List<Message> sent = new ArrayList<>(parts.get(0));
      run.send(parts.get(0));
      run.drain(job);
      run.assertHolds(oracle, sent);
      LocationMetrics late = run.metrics(job);
      assertThat(late.unlocated()).as("records without coordinates").isEqualTo(inCellsOnly(sent));

      run.publish(towers);
      run.drain(job);
      run.assertHolds(oracle, sent);
      sent.addAll(parts.get(1));
      run.send(parts.get(1));
      run.drain(job);
      run.assertHolds(oracle, sent);

      run.publish(moved);
      run.drain(job);
      run.assertHolds(oracle, sent);
      sent.addAll(parts.get(2));
      run.send(parts.get(2));
      run.drain(job);
      run.assertHolds(oracle, sent);

      LocationMetrics metrics = run.metrics(job);
      assertThat(metrics.historyInserted() + metrics.historyDuplicates()).isEqualTo(records(sent));
      assertThat(metrics.historyInserted()).isEqualTo(run.historyDocuments());
      System.out.printf(
          "[fault] catalogue too late, then changed: %,d records, %,d of them stored without"
              + " coordinates before the catalogue came, %,d with those of before the change, %,d with"
              + " those of after, %d restarts%n",
          records(sent),
          records(parts.get(0)),
          records(parts.get(1)),
          records(parts.get(2)),
          run.restarts(job));
    }
  }

  @Test
  void recordsThatWaitWhenTheTaskManagerIsKilledAreStillLocated() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, SIGHTINGS);
    List<TowerFact> towers = scenario.allTowers();
    Set<String> known = new HashSet<>();
    towers.forEach(tower -> known.add(tower.cell()));
    // What nobody will ever know would wait out its time, and the test with it; and what names no
    // area is forwarded with the first of several cells to come (docs/decisions/operators.md). What
    // has a position of its own does not wait.
    List<Message> messages =
        allMessages(scenario).stream()
            .filter(message -> message.facts().stream().allMatch(fact -> fact.own() == null))
            .filter(message -> message.facts().stream().map(Fact::cell).allMatch(known::contains))
            .toList();
    try (LocationRun run =
        new LocationRun(
            stack, directory, "killed-waiting", "job.parallelism=2", "locate.max-wait=10 min")) {
      String job = run.submit();
      run.send(messages);
      long records = records(messages);
      await("all wait")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.metrics(job).waiting() == records);
      FlinkRest flink = stack.flink();
      long before = flink.latestCheckpoint(job);
      await("a checkpoint holds what waits")
          .atMost(LocationRun.LIMIT)
          .until(() -> flink.latestCompletedCheckpoint(job) > before);

      ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
      Instant killed = Instant.now();
      taskManager.kill();
      taskManager.start();
      run.awaitRestart(job, 0);
      Duration outage = Duration.between(killed, Instant.now());
      assertThat(run.metrics(job).waiting()).as("wait again").isEqualTo(records);

      run.publish(towers);
      run.drain(job);
      run.assertHolds(new Oracle(towers), messages);
      System.out.printf(
          "[fault] TaskManager killed while %,d records waited for their cells: all stored as if"
              + " nothing had been, outage %.1f s, %d restarts%n",
          records, outage.toMillis() / 1e3, run.restarts(job));
    }
  }

  @Test
  void aBrokenFileIsRefusedInOneLineAndLeavesTheCatalogueAsItWas() throws Exception {
    Scenario scenario = new Scenario(SEED + 2, SIGHTINGS / 3);
    // A file has one position of each tower.
    List<TowerFact> towers =
        scenario.allTowers().stream().map(CatalogFaultsIT::withItsFirstVersion).toList();
    List<TowerFact> moved = towers.stream().map(CatalogFaultsIT::movedFromTheBeginning).toList();
    try (LocationRun run = new LocationRun(stack, directory, "broken-file", "job.parallelism=2")) {
      importing(run, written("good.csv", csv(towers))).mustExitWith(0);
      long published = messagesIn(run.config().kafka().cellsTopic());

      Map<Path, String> broken = brokenFiles(csv(moved));
      for (Map.Entry<Path, String> file : broken.entrySet()) {
        Result refused = importing(run, file.getKey()).mustExitWith(1);
        assertThat(refused.out()).isEmpty();
        assertThat(refused.err().lines().filter(line -> line.startsWith("lastfix")))
            .as("of %s, which wrote %s", file.getKey(), refused.err())
            .singleElement()
            .asString()
            .contains(file.getKey().getFileName().toString())
            .contains(file.getValue());
        assertThat(messagesIn(run.config().kafka().cellsTopic()))
            .as("messages after %s", file.getKey())
            .isEqualTo(published);
      }

      // A few bad rows: they are skipped and counted, and their cells stay as they were.
      List<String> partly = new ArrayList<>(csv(moved));
      int bad = partly.size() / 20;
      for (int i = 1; i <= bad; i++) {
        partly.set(i, partly.get(i).replaceFirst(",\\d+,0$", ",yesterday,0"));
      }
      Result skipped = importing(run, written("partly.csv", partly)).mustExitWith(0);
      assertThat(skipped.json().path("skippedRows").asInt()).isEqualTo(bad);
      // A German cell off Somalia, and one at (0, 0); no record names them.
      Result exchanged =
          importing(
                  run,
                  written(
                      "exchanged.csv",
                      List.of(
                          "GSM,262,1,7,8,0,49.5,8.5,1000,1,1,1,1740787200,0",
                          "GSM,262,1,7,9,0,0,0,1000,1,1,1,1740787200,0")))
              .mustExitWith(0);
      assertThat(exchanged.json().path("rowsWithoutPosition").asInt()).isEqualTo(1);
      assertThat(exchanged.json().path("warning").asText())
          .contains("exchanged.csv: 1 of 1 rows lie outside");
      assertThat(exchanged.err()).contains(exchanged.json().path("warning").asText());
      List<TowerFact> catalogue = new ArrayList<>(moved);
      for (int i = 0; i < bad; i++) {
        catalogue.set(i, towers.get(i));
      }

      String job = run.submit("locate.max-wait=2 s");
      List<Message> messages = allMessages(scenario);
      run.send(messages);
      run.drain(job);
      run.assertHolds(new Oracle(catalogue), messages);
      System.out.printf(
          "[fault] broken catalogue files: %d refused with one line each and nothing published, one"
              + " with %d bad rows of %d imported without them; %,d records located by what stayed%n",
          broken.size(), bad, partly.size() - 1, records(messages));
    }
  }

  private static Map<Path, String> brokenFiles(List<String> rows) throws IOException {
    Map<Path, String> files = new LinkedHashMap<>();
    byte[] gzip = Gzip.compress(String.join("\n", rows).getBytes(UTF_8));
    files.put(
        written("cut.csv.gz", Arrays.copyOf(gzip, gzip.length / 2)), "not a complete gzip file");
    // Its checksum: what a damage in the middle is found by depends on the bytes behind it.
    byte[] damaged = gzip.clone();
    damaged[gzip.length - 5] ^= 0x55;
    files.put(written("damaged.csv.gz", damaged), "not a complete gzip file");
    byte[] bent = gzip.clone();
    bent[gzip.length / 2] ^= 0x55;
    files.put(written("bent.csv.gz", bent), "bent.csv.gz: ");
    byte[] garbage = new byte[50_000];
    new Random(SEED).nextBytes(garbage);
    files.put(written("garbage.csv", garbage), "line 1 is neither a row");
    files.put(written("empty.csv", new byte[0]), "no row");
    files.put(written("header.csv", List.of(HEADER)), "no row");
    files.put(written("utf16.csv", String.join("\n", rows).getBytes(UTF_16LE)), "line 1");
    List<String> withoutLatitude = new ArrayList<>(rows);
    withoutLatitude.set(0, HEADER.replace(",lat,", ",y,"));
    files.put(written("columns.csv", withoutLatitude), "it lacks lat");
    List<String> shifted = new ArrayList<>(rows);
    shifted.replaceAll(row -> row.startsWith("radio") ? row : row.replaceFirst(",", ",,"));
    files.put(written("shifted.csv", shifted), "rows are bad");
    List<String> halfBad = new ArrayList<>(rows);
    for (int i = 1; i < halfBad.size(); i += 2) {
      halfBad.set(i, halfBad.get(i).replaceFirst("[A-Z]+", "6G"));
    }
    files.put(written("half.csv", halfBad), "rows are bad");
    files.put(directory.resolve("missing.csv"), "");
    return files;
  }

  private static Path written(String name, List<String> lines) throws IOException {
    return written(name, String.join("\n", lines).getBytes(UTF_8));
  }

  private static Path written(String name, byte[] bytes) throws IOException {
    return Files.write(directory.resolve(name), bytes);
  }

  private static Result importing(LocationRun run, Path file) throws Exception {
    List<String> arguments = new ArrayList<>(List.of("catalog", "import", "--json"));
    arguments.add("--kafka=" + stack.kafka());
    run.settings().stream()
        .filter(setting -> setting.startsWith("kafka.") && !setting.contains("bootstrap"))
        .forEach(
            setting -> {
              arguments.add("--set");
              arguments.add(setting);
            });
    arguments.add(file.toString());
    return LastfixInProcess.run(arguments.toArray(String[]::new));
  }

  private static long messagesIn(String topic) throws IOException {
    try (var admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      return new ConsumerLag(admin)
          .ranges(List.of(topic)).values().stream().mapToLong(ConsumerLag.Range::end).sum();
    }
  }

  /** Rows of OpenCellID's format under their header, one for the newest version of each tower. */
  private static List<String> csv(List<TowerFact> towers) {
    List<String> rows = new ArrayList<>(List.of(HEADER));
    for (TowerFact tower : towers) {
      Version newest = tower.versions().get(tower.versions().size() - 1);
      long seconds = newest.from().getEpochSecond();
      rows.add(
          "%s,%d,%d,%d,%d,0,%s,%s,%d,7,1,%d,%d,0"
              .formatted(
                  tower.radio(),
                  tower.mcc(),
                  tower.mnc(),
                  tower.area(),
                  tower.cid(),
                  newest.lon(),
                  newest.lat(),
                  RANGE_IN_FILES,
                  seconds,
                  seconds));
    }
    return rows;
  }

  private static TowerFact withItsFirstVersion(TowerFact tower) {
    Version first = tower.versions().get(0);
    Version inSeconds =
        new Version(
            Instant.ofEpochSecond(first.from().getEpochSecond()),
            first.lon(),
            first.lat(),
            RANGE_IN_FILES);
    return with(tower, List.of(inSeconds));
  }

  /** Returns the tower, elsewhere at the moments of all sightings, as it turned out later. */
  private static TowerFact movedFromTheBeginning(TowerFact tower) {
    Version first = tower.versions().get(0);
    List<Version> versions = new ArrayList<>(List.of(first));
    versions.add(
        new Version(first.from().plusSeconds(1), first.lon() + 1, first.lat() + 1, first.range()));
    return with(tower, versions);
  }

  private static TowerFact with(TowerFact tower, List<Version> versions) {
    return new TowerFact(
        tower.mcc(), tower.mnc(), tower.area(), tower.cid(), tower.radio(), versions);
  }

  /** The good ones, each once: a repetition would come in at two states of the catalogue. */
  private static List<Message> allMessages(Scenario scenario) {
    Map<String, Message> messages = new LinkedHashMap<>();
    List<Message> all = new ArrayList<>(scenario.firstHalf());
    all.addAll(scenario.secondHalf());
    all.stream()
        .filter(message -> message.rejectedAs() == null)
        .forEach(message -> messages.put(message.profile() + message.text(), message));
    return new ArrayList<>(messages.values());
  }

  /** Each part goes over the whole time, since what belongs to a half is spread over all three. */
  private static List<List<Message>> inThree(List<Message> messages) {
    List<List<Message>> parts = List.of(new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    for (int i = 0; i < messages.size(); i++) {
      parts.get(i % 3).add(messages.get(i));
    }
    return parts;
  }

  private static Set<String> identities(Collection<Message> messages) {
    Set<String> identities = new HashSet<>();
    messages.forEach(
        message -> message.facts().stream().map(Fact::identity).forEach(identities::add));
    return identities;
  }

  /** How many records need their cell to have a position. */
  private static long inCellsOnly(Collection<Message> messages) {
    return messages.stream()
        .flatMap(message -> message.facts().stream())
        .filter(fact -> fact.own() == null)
        .count();
  }

  private static long records(Collection<Message> messages) {
    return messages.stream().mapToLong(message -> message.facts().size()).sum();
  }
}
