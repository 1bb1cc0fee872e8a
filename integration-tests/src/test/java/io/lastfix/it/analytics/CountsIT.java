package io.lastfix.it.analytics;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.analytics.timeline.BruteForce;
import io.lastfix.analytics.timeline.ResultTexts;
import io.lastfix.cluster.flink.StopWithSavepoint;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryDocument;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.zip.GZIPInputStream;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Counts are those of History to the record, and density, flows, stays and trips are those of a
 * brute force over History: after kills, with repeated and late records, and after an analysis of
 * History. The records are a slice of the taxis' traces.
 */
class CountsIT {
  private static final long SEED = 18;
  private static final Duration SPAN = Duration.ofMinutes(20);

  /** Short, so that all absences are known while the test runs. */
  private static final Duration ABSENCE = Duration.ofMinutes(5);

  private static final Duration PING_PONG = Duration.ofSeconds(30);
  private static final Duration MINIMUM_STAY = Duration.ofMinutes(3);
  private static final int MINIMUM_GROUP = 3;

  private static final String POSITION = ",\"position\":{\"lon\":%s,\"lat\":%s}";

  private static final List<String> RESULTS = List.of("density", "flows", "stays", "trips");

  /** The first second of the slice. */
  private static final long SLICE = 1_211_590_800;

  private static final Path TRACES = Path.of("..", "config", "sample", "cabspotting-slice.csv.gz");

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    // Two for each stream, and two for the analysis of late records beside them.
    // Killed and restored as in production: each start of a job loads its classes anew.
    stack = TestStack.startCold(directory, 1, 6);
  }

  @Test
  void afterKillsTheNumbersAreThoseOfHistoryAndACountOfHistoryAddsWhatCameTooLate()
      throws Exception {
    int kills = Chaos.shortOrLong(2, 20);
    Random random = new Random(SEED);
    Instant end = Instant.now().minus(ABSENCE).minusSeconds(60);
    List<String> messages = messages(random, end, Math.max(1, kills / 2));
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "counts",
            "profiles.names=json",
            "job.parallelism=2",
            "checkpoint.interval=2 s",
            "located.topic=counts.located",
            "analytics.counts-topic=counts.counts",
            "analytics.counts-by=total,cell,area,source",
            "analytics.minimum-group=" + MINIMUM_GROUP,
            "analytics.absence=" + ABSENCE.toMinutes() + " min",
            "analytics.ping-pong=" + PING_PONG.toSeconds() + " s",
            "analytics.minimum-stay=" + MINIMUM_STAY.toMinutes() + " min")) {
      String location = run.submit();
      String analytics = resumedFromAJobThatOnlyCounts(run);
      ServerProcess victim = stack.cluster().taskManagerProcesses().get(0);
      int share = messages.size() / kills;
      for (int kill = 0; kill < kills; kill++) {
        send(run, messages.subList(kill * share, (kill + 1) * share));
        long stored = counted(run);
        await("numbers of new records")
            .atMost(LocationRun.LIMIT)
            .until(() -> counted(run) > stored);
        long ofLocation = run.restarts(location);
        long ofAnalytics = run.restarts(analytics);
        victim.kill();
        victim.start();
        run.awaitRestart(location, ofLocation);
        run.awaitRestart(analytics, ofAnalytics);
      }
      run.drain(location);
      long history = run.historyDocuments();
      assertThat(history).isEqualTo(Set.copyOf(messages).size());
      await("all records are counted and all windows are closed, without a further record")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () -> {
                assertThat(counted(run)).isEqualTo(history);
                assertThat(states(run)).containsExactly("closed");
              });
      assertCountsAreThoseOfHistory(run);
      await("density, flows, stays and trips are those of all records")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(() -> assertTimelinesAreThoseOfHistory(run, end));
      // The hour of flows need not be over.
      for (String prefix : List.of("density", "stays", "trips")) {
        assertThat(states(run, prefix)).containsExactly("closed");
      }

      send(run, tooLate(end));
      run.drain(location);
      await("the records that came too late are in History")
          .atMost(LocationRun.LIMIT)
          .until(() -> run.historyDocuments() == history + 50);
      send(run, List.of(message("marker", 1, Instant.now().toEpochMilli()).formatted("")));
      await("the job has read what follows them")
          .atMost(LocationRun.LIMIT)
          .until(() -> counted(run) == history + 1);
      await("a query says how many came too late")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(lastfix(run, "counts", "--by", "total", "--last", "4h").err())
                      .contains("Up to 50 located records are missing in these numbers"));
      LastfixProcess.Result stays = lastfix(run, "stays", "--last", "4h", "--json");
      assertThat(stays.mustExitWith(0).out()).contains("\"tooLate\":50");
      assertThat(lastfix(run, "counts", "--by", "total", "--json").out())
          .as("of the last ten minutes nothing is missing")
          .contains("\"tooLate\":0");

      assertThat(lastfix(run, "analyze", "counts").mustExitWith(0).err())
          .contains("Computing counts up to ");
      assertThat(states(run)).as("of times that the stream may still rewrite").contains("closed");
      assertThat(lastfix(run, "counts", "--by", "total", "--last", "4h", "--json").out())
          .as("of counts, nothing is missing")
          .contains("\"tooLate\":0");
      assertThat(lastfix(run, "stays", "--last", "4h", "--json").out())
          .as("of stays, which were not computed again")
          .contains("\"tooLate\":50");
      assertThat(lastfix(run, "analyze", "late", "--json").mustExitWith(0).out())
          .contains("\"analyses\":1,", "\"added\":50,\"waiting\":0");
      assertThat(documents(run, "late")).isEmpty();
      assertThat(states(run, "density")).as("of the late records").contains("batch");
      assertThat(lastfix(run, "analyze", "late").mustExitWith(0).out())
          .isEqualToIgnoringNewLines("No late records to add");
      run.cancel(analytics);

      LastfixProcess.Result analyzed = analyze(run, "counts", "--json");
      analyzed.mustExitWith(0);
      assertThat(analyzed.out()).contains("\"documents\":" + (history + 51));
      assertCountsAreThoseOfHistory(run);
      assertThat(states(run)).containsExactly("batch");

      String taxi = user(documents(run, "trips").get(0));
      assertThat(documents(run, "stays")).anyMatch(stay -> user(stay).equals(taxi));
      lastfix(run, "forget", taxi, "--yes").mustExitWith(0);
      for (String prefix : List.of("stays", "trips")) {
        assertThat(documents(run, prefix))
            .isNotEmpty()
            .noneMatch(result -> user(result).equals(taxi));
      }
      assertThat(analyze(run, "all").mustExitWith(0).err())
          .contains("--to: the stream still rewrites numbers after ")
          .contains("will see groups of fewer than 15 devices");
      assertCountsAreThoseOfHistory(run);
      assertTimelinesAreThoseOfHistory(run, end);
      for (String prefix : RESULTS) {
        assertThat(states(run, prefix)).containsExactly("batch");
      }
      assertThat(lastfix(run, "counts", "--by", "total", "--last", "4h", "--json").out())
          .contains("\"n\":" + run.historyDocuments() + ",");
      assertCommandsShowThem(run, end, taxi);
      assertPlotsAreDrawn(run, end);
    }
  }

  @Test
  void recordsThatKafkaDeletesBeforeTheyAreReadAreSaid() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "gaps",
            "profiles.names=json",
            "job.parallelism=2",
            "located.topic=gaps.located",
            "analytics.counts-topic=gaps.counts",
            "analytics.numbers=counts")) {
      String location = run.submit();
      String analytics = run.submitAnalytics(null);
      long now = Instant.now().toEpochMilli();
      send(run, plain("read", 10, now));
      await("the records are counted").atMost(LocationRun.LIMIT).until(() -> counted(run) == 10);
      String savepoint = stop(analytics);
      send(run, plain("deleted", 20, now));
      run.drain(location);
      deleteAll(run, "gaps.located");
      assertThat(failureOfAResumeWithAnotherTopic(run, savepoint))
          .contains("it read the topic gaps.located, and located.topic is gaps.other");

      String resumed = run.submitAnalytics(savepoint);
      send(run, plain("afterwards", 5, now));

      await("the records that are there are counted")
          .atMost(LocationRun.LIMIT)
          .until(() -> counted(run) == 15);
      await("a query says how many are missing")
          .atMost(LocationRun.LIMIT)
          .untilAsserted(
              () ->
                  assertThat(lastfix(run, "counts", "--by", "total").err())
                      .contains("20 located records are missing")
                      .contains("Kafka deleted them before the job read them"));
      run.cancel(resumed);
    }
  }

  private static String failureOfAResumeWithAnotherTopic(LocationRun run, String savepoint)
      throws Exception {
    String job = run.submitAnalyticsOnly(savepoint, "located.topic=gaps.other");
    await("the job has ended").atMost(LocationRun.LIMIT).until(() -> run.isOver(job));
    return stack.flink().failureOf(job).orElseThrow();
  }

  private static List<String> plain(String user, int records, long timestampMillis) {
    return IntStream.range(0, records)
        .mapToObj(i -> message(user + i, i % 3, timestampMillis).formatted(""))
        .toList();
  }

  private static void deleteAll(LocationRun run, String topic) throws Exception {
    Map<TopicPartition, RecordsToDelete> all = new HashMap<>();
    run.producer()
        .partitionsFor(topic)
        .forEach(
            it ->
                all.put(
                    new TopicPartition(topic, it.partition()),
                    // To Kafka: all that consumers can read.
                    RecordsToDelete.beforeOffset(-1)));
    run.admin().deleteRecords(all).all().get();
  }

  private static String stop(String job) throws Exception {
    return new StopWithSavepoint(stack.flink())
        .stop(job, directory.resolve("savepoints").toUri().toString(), LocationRun.LIMIT);
  }

  /** That of all numbers resumes from one that counts only. */
  private static String resumedFromAJobThatOnlyCounts(LocationRun run) throws Exception {
    String former = run.submitAnalytics(null, "analytics.numbers=counts");
    String savepoint = stop(former);
    return run.submitAnalytics(savepoint);
  }

  private static void assertCommandsShowThem(LocationRun run, Instant end, String erased) {
    String at = end.minusSeconds(60).toString();
    assertThat(lastfix(run, "density", "--at", at, "--look-back", "3h").mustExitWith(0).out())
        .startsWith("WINDOW")
        .contains("batch");
    assertThat(lastfix(run, "density", "--by", "area", "--at", at, "--geojson").out())
        .contains("{\"type\":\"Point\",\"coordinates\":[-122.");
    LastfixProcess.Result density = lastfix(run, "density", "--last", "3h", "--csv");
    assertThat(density.out()).startsWith("w,k,n,state,withheld").contains(",,batch,true");
    assertThat(density.err()).contains(" from History (batch); ").contains("; the newest is of ");
    assertThat(lastfix(run, "counts", "--by", "area", "--last", "3h", "--geojson").out())
        .contains("],\"from\":")
        .contains("\"open\":0,\"batch\":");
    LastfixProcess.Result flows = lastfix(run, "flows", "--last", "3h", "--limit", "1");
    assertThat(flows.out()).contains("MOVES").contains("batch");
    assertThat(flows.err()).contains("withheld").contains("There are more than these 1");
    assertThat(lastfix(run, "stays", "--limit", "1000", "--json").out())
        .contains("\"ended\":\"left\"");
    assertThat(lastfix(run, "trips", "--user", erased).mustExitWith(3).err())
        .contains("There are no trips of %s at any time".formatted(erased));
    assertThat(lastfix(run, "stays", "--to", "2020-01-01").mustExitWith(3).err())
        .contains("; there are results from " + end.toString().substring(0, 4));
    assertThat(lastfix(run, "counts", "--by", "network").mustExitWith(3).err())
        .contains("lastfix analyze counts --from ")
        .contains(" --set analytics.counts-by=total,cell,area,source,network");
  }

  private static void assertPlotsAreDrawn(LocationRun run, Instant end) {
    String at = end.minusSeconds(60).toString();
    String place =
        documents(run, "density").stream()
            .filter(it -> it.containsKey("n"))
            .map(it -> it.getDocument("_id"))
            .filter(id -> id.getString("by").getValue().equals("cell"))
            .map(id -> id.getString("k").getValue())
            .findFirst()
            .orElseThrow();
    assertThat(lastfix(run, "density", "--at", at, "--look-back", "3h", "--plot").out())
        .contains("Devices by cell at " + at)
        .contains("#");
    assertThat(lastfix(run, "density", "--key", place, "--last", "3h", "--plot").out())
        .contains("Devices at " + place)
        .contains("#");
    assertThat(lastfix(run, "flows", "--plot").out()).contains("Moves by cell", " -> ", "#");
    assertThat(lastfix(run, "stays", "--plot").out()).contains("Minutes of stays by cell", "#");
    Path picture = directory.resolve("trips.png");
    assertThat(lastfix(run, "trips", "--plot=" + picture).mustExitWith(0).err())
        .contains("Wrote " + picture);
    assertThat(picture).isNotEmptyFile();
  }

  /** Up to the present, of which the stream's job is cancelled. */
  private static LastfixProcess.Result analyze(LocationRun run, String... arguments) {
    List<String> all = new ArrayList<>(List.of("analyze", "--to", Instant.now().toString()));
    all.addAll(List.of(arguments));
    return lastfix(run, all.toArray(String[]::new));
  }

  private static String user(BsonDocument result) {
    return result.getDocument("_id").getString("user").getValue();
  }

  private static LastfixProcess.Result lastfix(LocationRun run, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (List.of("analyze", "forget", "counts").contains(arguments[0])) {
      all.addAll(List.of("--flink", stack.flinkUrl()));
    }
    return LastfixInProcess.run(run, all.toArray(String[]::new));
  }

  /**
   * The slice, twice, shuffled: a record may come up to five minutes after later ones, and one in
   * twenty at any time afterwards.
   *
   * @param copies of each taxi
   */
  private static List<String> messages(Random random, Instant end, int copies) throws IOException {
    TreeMap<Long, List<String>> arrivals = new TreeMap<>();
    for (String[] row : rows()) {
      long offsetMillis = (Long.parseLong(row[4]) - SLICE) * 1_000;
      long timestampMillis = end.minus(SPAN).toEpochMilli() + offsetMillis;
      double lat = Double.parseDouble(row[1]);
      double lon = Double.parseDouble(row[2]);
      boolean hasFix = random.nextInt(3) == 0;
      for (int copy = 0; copy < copies; copy++) {
        String message =
            message(row[0] + (copy == 0 ? "" : copy), cid(lat, lon), timestampMillis)
                .formatted(hasFix ? POSITION.formatted(lon, lat) : "");
        for (int delivery = 0; delivery < 2; delivery++) {
          long delay =
              random.nextInt(20) == 0
                  ? random.nextLong(SPAN.toMillis())
                  : random.nextLong(Duration.ofMinutes(5).toMillis());
          arrivals.computeIfAbsent(offsetMillis + delay, at -> new ArrayList<>()).add(message);
        }
      }
    }
    return arrivals.values().stream().flatMap(List::stream).toList();
  }

  private static List<String[]> rows() throws IOException {
    try (BufferedReader reader =
        new BufferedReader(
            new InputStreamReader(new GZIPInputStream(Files.newInputStream(TRACES)), UTF_8))) {
      return reader
          .lines()
          .skip(1)
          .map(line -> line.split(",", -1))
          .filter(row -> Long.parseLong(row[4]) >= SLICE)
          .filter(row -> Long.parseLong(row[4]) < SLICE + SPAN.toSeconds())
          .toList();
    }
  }

  /** Cells of about a kilometre. */
  private static int cid(double lat, double lon) {
    int row = (int) ((lat - 37) * 100);
    int column = (int) ((lon + 123) * 100);
    return row * 1_000 + column;
  }

  private static List<String> tooLate(Instant end) {
    List<String> messages = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      long timestampMillis = end.minus(Duration.ofMinutes(200)).toEpochMilli() + i;
      messages.add(message("late" + i, i % 3, timestampMillis).formatted(""));
    }
    return messages;
  }

  private static String message(String user, int cid, long timestampMillis) {
    return "{\"user\":\"%s\",\"cell\":\"310-260-7-%d\",\"ts\":%d%%s}"
        .formatted(user, cid, timestampMillis);
  }

  private static void send(LocationRun run, List<String> messages) {
    String topic = run.config().kafka().locationTopic("json");
    List<Future<RecordMetadata>> answers =
        messages.stream()
            .map(
                message ->
                    run.producer().send(new ProducerRecord<>(topic, message.getBytes(UTF_8))))
            .toList();
    run.producer().flush();
    assertThat(answers).allSatisfy(answer -> assertThat(answer.get().hasOffset()).isTrue());
  }

  private static List<Document> counts(LocationRun run) {
    List<Document> counts = new ArrayList<>();
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith("counts_")) {
        run.database().getCollection(name).find().into(counts);
      }
    }
    return counts;
  }

  private static long counted(LocationRun run) {
    return counts(run).stream()
        .filter(count -> by(count).equals("total"))
        .mapToLong(count -> count.getLong("n"))
        .sum();
  }

  private static Set<String> states(LocationRun run) {
    return states(run, "counts");
  }

  private static Set<String> states(LocationRun run, String prefix) {
    Set<String> states = new TreeSet<>();
    documents(run, prefix).forEach(it -> states.add(it.getString("state").getValue()));
    return states;
  }

  private static List<BsonDocument> documents(LocationRun run, String prefix) {
    List<BsonDocument> documents = new ArrayList<>();
    for (String name : run.database().listCollectionNames()) {
      if (name.startsWith(prefix + "_")) {
        run.database().getCollection(name, BsonDocument.class).find().into(documents);
      }
    }
    return documents;
  }

  /** Without what the last record, which only shows that the job has read it, changes. */
  private static void assertTimelinesAreThoseOfHistory(LocationRun run, Instant end) {
    List<LocatedRecord> records = new ArrayList<>();
    for (String collection : run.historyCollections()) {
      for (BsonDocument document :
          run.database().getCollection(collection, BsonDocument.class).find()) {
        LocatedRecord record =
            document.containsKey("loc")
                ? HistoryDocument.toRecord(document)
                : HistoryDocument.toUnlocatedRecord(document).at(null);
        if (!record.user().equals("marker")) {
          records.add(record);
        }
      }
    }
    BruteForce expected =
        new BruteForce(records, ABSENCE.toMillis(), PING_PONG.toMillis(), MINIMUM_STAY.toMillis());
    assertThat(expected.trips).isNotEmpty();
    long last = end.plus(ABSENCE).toEpochMilli();

    assertThat(
            texts(
                documents(run, "density").stream()
                    .filter(it -> it.getDocument("_id").getDateTime("w").getValue() <= last)
                    .toList()))
        .containsExactlyInAnyOrderElementsOf(
            expected.density.entrySet().stream()
                .map(
                    it ->
                        it.getKey()
                            + " "
                            + (it.getValue() < MINIMUM_GROUP ? "withheld" : it.getValue()))
                .toList());
    assertThat(texts(documents(run, "flows")))
        .containsExactlyInAnyOrderElementsOf(
            expected.flows.entrySet().stream()
                .map(it -> it.getKey() + " " + shown(it.getValue()))
                .toList());
    assertThat(texts(documents(run, "stays"))).containsExactlyInAnyOrderElementsOf(expected.stays);
    assertThat(texts(documents(run, "trips"))).containsExactlyInAnyOrderElementsOf(expected.trips);
  }

  private static List<String> texts(List<BsonDocument> documents) {
    return documents.stream().map(ResultTexts::text).toList();
  }

  private static String shown(String movesAndDevices) {
    int devices = Integer.parseInt(movesAndDevices.substring(movesAndDevices.indexOf('/') + 1));
    return devices < MINIMUM_GROUP ? "withheld/withheld" : movesAndDevices;
  }

  private static String by(Document count) {
    return count.get("_id", Document.class).getString("by");
  }

  /** Counts the documents by hand; an area's name is not computed, only their sum. */
  private static void assertCountsAreThoseOfHistory(LocationRun run) {
    Map<String, Long> expected = new TreeMap<>();
    Map<Long, Long> total = new HashMap<>();
    for (String collection : run.historyCollections()) {
      for (Document document : run.database().getCollection(collection).find()) {
        long window = document.getDate("ts").toInstant().toEpochMilli() / 10_000 * 10_000;
        boolean isLocated = document.containsKey("loc");
        String source = isLocated ? document.get("src", "cell") : "none";
        for (String group :
            List.of("total all", "cell " + document.getString("cell"), "source " + source)) {
          expected.merge(window + " " + group, 1L, Long::sum);
        }
        total.merge(window, 1L, Long::sum);
      }
    }
    Map<String, Long> found = new TreeMap<>();
    Map<Long, Long> areas = new HashMap<>();
    for (Document count : counts(run)) {
      Document id = count.get("_id", Document.class);
      long window = id.getDate("w").toInstant().toEpochMilli();
      if (by(count).equals("area")) {
        areas.merge(window, count.getLong("n"), Long::sum);
      } else {
        found.put(window + " " + by(count) + " " + id.getString("k"), count.getLong("n"));
      }
    }
    assertThat(found).containsExactlyEntriesOf(expected);
    assertThat(areas).containsExactlyInAnyOrderEntriesOf(total);
  }
}
