package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Fact;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.bson.types.Binary;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix audit} and {@code lastfix replay-rejected} as a user starts them, over what the
 * job made of a {@link Scenario}: clean where the job was right, exact where somebody changed what
 * it had stored, and clean again after rejected messages were given back.
 */
class AuditIT {
  private static final long SEED = 20261122;
  private static final int SIGHTINGS = 600;
  private static final int VENDOR_RECORDS = 7;
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Instant VENDOR_TIME = Instant.parse("2026-02-03T04:05:06Z");

  /** Its user stands in the wrong place: all that comes in is rejected. */
  private static final String WRONG_PROFILE =
      """
      format: json
      user: device/number
      cell: {text: cell}
      timestamp: {path: ts, format: iso8601}
      """;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void anAuditIsCleanNamesWhatWasChangedAndIsCleanAfterAReplayOfWhatWasRejected() throws Exception {
    Path profiles = Files.createDirectory(directory.resolve("profiles"));
    Files.writeString(profiles.resolve("vendor.yaml"), WRONG_PROFILE);
    Scenario scenario = new Scenario(SEED, SIGHTINGS);
    List<Message> sent = new ArrayList<>();
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "audited",
            "job.parallelism=2",
            "profiles.directory=" + profiles,
            "profiles.names=arcanum,mlp,json,osmand,geojson,vendor")) {
      run.publish(scenario.allTowers());
      String job = run.submit();
      sent.addAll(scenario.firstHalf());
      sent.addAll(scenario.secondHalf());
      run.send(sent);
      sendVendorRecords(run, scenario);
      run.drain(job);

      Counts counts = Counts.of(sent);
      JsonNode clean = audit(run, 0);
      assertThat(clean.get("clean").asBoolean()).isTrue();
      assertThat(clean.get("records").asLong()).isEqualTo(counts.records() + VENDOR_RECORDS);
      assertThat(clean.get("history").asLong()).isEqualTo(counts.history());
      assertThat(clean.get("rejected").asLong()).isEqualTo(counts.rejected() + VENDOR_RECORDS);
      assertThat(clean.get("duplicates").asLong())
          .isEqualTo(counts.records() - counts.history() - counts.rejected());
      assertThat(clean.get("users").asLong())
          .isEqualTo(run.database().getCollection("last_known_location").countDocuments());
      assertThat(clean.get("undecidedPlaces").asLong()).isZero();
      assertThat(clean.get("notDue").asLong()).isZero();
      assertThat(clean.get("notCovered").asLong()).isZero();

      Tampering tampering = new Tampering(run.database());
      Set<String> expected = tampering.change();
      Result found = lastfix(run, "audit", "--json").mustExitWith(1);
      assertThat(named(found.json())).isEqualTo(expected);
      assertThat(found.json().get("records")).isEqualTo(clean.get("records"));
      assertThat(found.err())
          .contains("lastfix audit: ")
          .contains("1 missing from History")
          .contains("8 different in History")
          .contains("3 different in Last Known Location");
      tampering.mend();

      run.cancel(job);
      Files.writeString(
          profiles.resolve("vendor.yaml"), WRONG_PROFILE.replace("device/number", "device/id"));
      String mended = run.submit();
      assertThat(audit(run, 0).get("replayable").asLong()).isEqualTo(VENDOR_RECORDS);

      JsonNode replayed = replay(run, "--reason", "missing-field");
      assertThat(replayed.get("sent").get("audited.location.vendor").get("missing-field").asLong())
          .isEqualTo(VENDOR_RECORDS);
      run.drain(mended);

      JsonNode after = audit(run, 0);
      assertThat(after.get("recovered").asLong()).isEqualTo(VENDOR_RECORDS);
      assertThat(after.get("replayable").asLong()).isZero();
      assertThat(after.get("history").asLong()).isEqualTo(counts.history() + VENDOR_RECORDS);
      assertThat(run.historyDocuments()).isEqualTo(counts.history() + VENDOR_RECORDS);

      JsonNode during = auditUnderLoad(run, scenario);
      assertThat(during.get("differs").asBoolean()).isFalse();
      assertThat(during.get("messages").asLong()).isGreaterThan(after.get("messages").asLong());
    }
  }

  /** Of cells that are known: what waits for its cell is missing until the wait is over. */
  private static JsonNode auditUnderLoad(LocationRun run, Scenario scenario) throws Exception {
    String topic = run.config().kafka().locationTopic("json");
    String cell = scenario.towers().get(0).cell();
    AtomicLong sent = new AtomicLong();
    AtomicBoolean isOver = new AtomicBoolean();
    ExecutorService sender = Executors.newSingleThreadExecutor();
    Future<Boolean> sending =
        sender.submit(
            () -> {
              while (!isOver.get()) {
                String message =
                    "{\"user\":\"load-%d\",\"cell\":\"%s\",\"ts\":\"%s\"}"
                        .formatted(sent.incrementAndGet(), cell, VENDOR_TIME);
                ProducerRecord<byte[], byte[]> next =
                    new ProducerRecord<>(topic, message.getBytes(UTF_8));
                assertThat(run.producer().send(next).get().hasOffset()).isTrue();
              }
              return true;
            });
    try {
      Awaitility.await().atMost(LIMIT).until(() -> sent.get() > VENDOR_RECORDS);
      JsonNode report = audit(run, 0);
      isOver.set(true);
      assertThat(sending.get(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("sent to the end").isTrue();
      return report;
    } finally {
      isOver.set(true);
      sender.shutdownNow();
    }
  }

  /** What the scenario's messages hold, counted without any of the code under test. */
  private record Counts(long records, long history, long rejected) {
    static Counts of(List<Message> sent) {
      return new Counts(
          sent.stream().mapToLong(Message::records).sum(),
          sent.stream().flatMap(m -> m.facts().stream()).map(Fact::identity).distinct().count(),
          sent.stream().filter(message -> message.rejectedAs() != null).count());
    }
  }

  private static void sendVendorRecords(LocationRun run, Scenario scenario) throws Exception {
    for (int i = 0; i < VENDOR_RECORDS; i++) {
      String message =
          "{\"device\":{\"id\":\"vendor-%d\"},\"cell\":\"%s\",\"ts\":\"%s\"}"
              .formatted(i, scenario.towers().get(0).cell(), VENDOR_TIME);
      assertThat(
              run.producer()
                  .send(
                      new ProducerRecord<>(
                          run.config().kafka().locationTopic("vendor"), message.getBytes(UTF_8)))
                  .get()
                  .hasOffset())
          .isTrue();
    }
  }

  private static JsonNode audit(LocationRun run, int exitCode) throws Exception {
    return lastfix(run, "audit", "--json").mustExitWith(exitCode).json();
  }

  private static JsonNode replay(LocationRun run, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of("replay-rejected", "--json"));
    all.addAll(List.of(arguments));
    return lastfix(run, all.toArray(String[]::new)).mustExitWith(0).json();
  }

  private static Result lastfix(LocationRun run, String... arguments) throws Exception {
    return LastfixInProcess.run(run, arguments);
  }

  /** Kind, user, time and detail of each discrepancy. */
  private static Set<String> named(JsonNode report) {
    Set<String> named = new TreeSet<>();
    for (JsonNode discrepancy : report.get("discrepancies")) {
      named.add(
          named(
              discrepancy.get("kind").asText(),
              discrepancy.get("user").asText(),
              Instant.parse(discrepancy.get("ts").asText()),
              discrepancy.get("detail").asText()));
    }
    return named;
  }

  private static String named(String kind, String user, Instant ts, String detail) {
    return kind + " " + user + " " + ts + " " + detail;
  }

  /** Changes one document of each kind, and one for each field of its own, and puts all back. */
  private static final class Tampering {
    private static final Bson IS_OWN = Filters.in("src", "gnss", "network");

    /** In degrees of latitude: farther than the range of any tower, any accuracy and 5 km. */
    private static final double FAR = 0.15;

    private final MongoCollection<Document> history;
    private final MongoCollection<Document> lastKnown;
    private final List<Document> users;
    private final List<Document> taken = new ArrayList<>();
    private final List<Document> takenUsers = new ArrayList<>();
    private final Set<String> expected = new TreeSet<>();
    private final Document made =
        new Document("_id", new Binary(new byte[20]))
            .append("user", "nobody")
            .append("ts", Date.from(Instant.EPOCH))
            .append("cell", "1-2-3-4")
            .append("radio", null);

    Tampering(MongoDatabase database) {
      history = database.getCollection("history_2025_12");
      lastKnown = database.getCollection("last_known_location");
      users = lastKnown.find().sort(Sorts.ascending("_id")).into(new ArrayList<>());
    }

    /** Names what an audit has to find. */
    Set<String> change() {
      Document missing = take(oldestOf(0));
      history.deleteOne(byId(missing));
      expect("MISSING", missing, "");
      Document moved = take(oldestOf(1));
      history.updateOne(byId(moved), Updates.set("loc", pair()));
      expect("DIFFERENT", moved, "loc is not the cell's position in the catalogue");
      changeFields();
      // Not before: it would be the first without a position, and be changed itself.
      history.insertOne(made);
      expect("EXTRA", made, "");
      changeUsers();
      return expected;
    }

    /** One field of one document each. */
    private void changeFields() {
      Document source = takeAny(IS_OWN);
      String other = source.getString("src").equals("gnss") ? "network" : "gnss";
      change(source, Updates.set("src", other), "its loc or src are not those of its _id");
      String notTheRecords = "acc, alt or shape are not the record's";
      change(takeAny(IS_OWN, Filters.exists("acc")), Updates.inc("acc", 1.0), notTheRecords);
      change(takeAny(IS_OWN, Filters.exists("alt")), Updates.inc("alt", 1.0), notTheRecords);
      change(
          takeAny(Filters.exists("cellLoc")),
          Updates.set("cellLoc", pair()),
          "cellLoc is not the cell's position in the catalogue");
      change(takeFar(), Updates.unset("far"), "not far, though loc and cellLoc are far apart");
      Bson isUnlocated = Filters.exists("loc", false);
      change(
          takeAny(isUnlocated),
          Updates.set("located", Date.from(VENDOR_TIME)),
          "its fields are not those of a record");
      change(
          takeAny(isUnlocated, Filters.eq("radio", null)),
          Updates.set("radio", "NR"),
          "radio is not the record's");
    }

    private void changeUsers() {
      Document older = oldestOf(2);
      changeUser(
          users.get(2),
          Updates.set(
              "last",
              new Document("ts", older.get("ts"))
                  .append("cell", older.get("cell"))
                  .append("loc", older.get("loc"))
                  .append("src", "cell")
                  .append("acc", null)),
          newestOf(users.get(2)),
          "it is older: " + words(older));
      lastKnown.deleteOne(byId(users.get(3)));
      expected.add(
          named("LAST_MISSING", users.get(3).getString("_id"), newestOf(users.get(3)), ""));
      List<Document> withFixBesideLast =
          users.stream()
              .skip(4)
              .filter(user -> user.get("fix") != null)
              .filter(user -> user.get("last", Document.class).getString("src").equals("cell"))
              .toList();
      Document withoutFix = withFixBesideLast.get(0);
      changeUser(
          withoutFix,
          Updates.set("fix", null),
          newestOf(withoutFix),
          "it has no fix, expected " + words(withoutFix.get("fix", Document.class)));
      Document withOtherFix = withFixBesideLast.get(1);
      changeUser(
          withOtherFix,
          Updates.set("fix.acc", 12_345.5),
          withOtherFix.get("fix", Document.class).getDate("ts").toInstant(),
          "acc is not the record's");
    }

    private void change(Document document, Bson update, String detail) {
      history.updateOne(byId(document), update);
      expect("DIFFERENT", document, detail);
    }

    private void changeUser(Document user, Bson update, Instant ts, String detail) {
      takenUsers.add(user);
      lastKnown.updateOne(byId(user), update);
      expected.add(named("LAST_DIFFERENT", user.getString("_id"), ts, detail));
    }

    private void expect(String kind, Document document, String detail) {
      expected.add(
          named(kind, document.getString("user"), document.getDate("ts").toInstant(), detail));
    }

    private static String words(Document record) {
      String cell = record.getString("cell");
      return record.getDate("ts").toInstant() + ", " + (cell == null ? "no cell" : "cell " + cell);
    }

    void mend() {
      taken.forEach(
          document -> {
            history.deleteOne(byId(document));
            history.insertOne(document);
          });
      history.deleteOne(byId(made));
      takenUsers.forEach(user -> lastKnown.replaceOne(byId(user), user));
      lastKnown.insertOne(users.get(3));
    }

    private Document take(Document document) {
      taken.add(document);
      return document;
    }

    /** A document that is not taken yet. */
    private Document takeAny(Bson... filters) {
      return take(all(filters).get(0));
    }

    private Document takeFar() {
      return take(
          all(Filters.eq("far", true)).stream()
              .filter(it -> Math.abs(lat(it, "loc") - lat(it, "cellLoc")) > FAR)
              .findFirst()
              .orElseThrow());
    }

    private static double lat(Document document, String pair) {
      return document.get(pair, Document.class).getDouble("lat");
    }

    private List<Document> all(Bson... filters) {
      List<Object> ids = taken.stream().map(document -> document.get("_id")).toList();
      return history
          .find(Filters.and(Filters.and(filters), Filters.nin("_id", ids)))
          .sort(Sorts.ascending("_id"))
          .into(new ArrayList<>());
    }

    /** A document with the position of a cell, which is nobody's newest. */
    private Document oldestOf(int user) {
      return history
          .find(
              Filters.and(
                  Filters.eq("user", users.get(user).getString("_id")), Filters.eq("src", "cell")))
          .sort(Sorts.ascending("ts", "cell"))
          .limit(1)
          .into(new ArrayList<>())
          .get(0);
    }

    private static Instant newestOf(Document user) {
      return user.get("last", Document.class).getDate("ts").toInstant();
    }

    private static Document pair() {
      return new Document("lon", 1.5).append("lat", 2.5);
    }

    private static Bson byId(Document document) {
      return Filters.eq("_id", document.get("_id"));
    }
  }
}
