package io.lastfix.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Sorts;
import com.mongodb.client.model.Updates;
import io.lastfix.it.LastfixProcess.Result;
import io.lastfix.it.Scenario.Fact;
import io.lastfix.it.Scenario.Message;
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
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
            "profiles.names=arcanum,mlp,json,vendor")) {
      run.publish(
          Stream.concat(scenario.towers().stream(), scenario.lateTowers().stream()).toList());
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
          .contains("1 different in History");
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
    List<String> all = new ArrayList<>(List.of(arguments));
    for (String setting : run.settings()) {
      all.add("--set");
      all.add(setting);
    }
    return new LastfixProcess(directory.resolve("home"), directory)
        .run(LIMIT, all.toArray(String[]::new));
  }

  /** Kind, user and time of each discrepancy. */
  private static Set<String> named(JsonNode report) {
    Set<String> named = new TreeSet<>();
    for (JsonNode discrepancy : report.get("discrepancies")) {
      named.add(
          named(
              discrepancy.get("kind").asText(),
              discrepancy.get("user").asText(),
              Instant.parse(discrepancy.get("ts").asText())));
    }
    return named;
  }

  private static String named(String kind, String user, Instant ts) {
    return kind + " " + user + " " + ts;
  }

  /** Changes one document of each kind, each of another user, and puts all back. */
  private static final class Tampering {
    private final MongoCollection<Document> history;
    private final MongoCollection<Document> lastKnown;
    private final List<Document> users;
    private final List<Document> taken = new ArrayList<>();
    private final Document made =
        new Document("_id", new Binary(new byte[20]))
            .append("user", "nobody")
            .append("ts", Date.from(Instant.EPOCH))
            .append("cell", "1-2-3-4");

    Tampering(MongoDatabase database) {
      history = database.getCollection("history_2025_12");
      lastKnown = database.getCollection("last_known_location");
      users = lastKnown.find().sort(Sorts.ascending("_id")).limit(4).into(new ArrayList<>());
    }

    /** Names what an audit has to find. */
    Set<String> change() {
      Document missing = oldestOf(0);
      history.deleteOne(byId(missing));
      Document moved = oldestOf(1);
      history.updateOne(
          byId(moved), Updates.set("loc", new Document("lon", 1.5).append("lat", 2.5)));
      history.insertOne(made);
      Document older = oldestOf(2);
      lastKnown.updateOne(
          byId(users.get(2)),
          Updates.set(
              "last",
              new Document("ts", older.get("ts"))
                  .append("cell", older.get("cell"))
                  .append("loc", older.get("loc"))));
      lastKnown.deleteOne(byId(users.get(3)));
      taken.addAll(List.of(missing, moved));
      return Set.of(
              named("MISSING", missing.getString("user"), missing.getDate("ts").toInstant()),
              named("DIFFERENT", moved.getString("user"), moved.getDate("ts").toInstant()),
              named("EXTRA", "nobody", Instant.EPOCH),
              named("LAST_DIFFERENT", users.get(2).getString("_id"), newestOf(2)),
              named("LAST_MISSING", users.get(3).getString("_id"), newestOf(3)))
          .stream()
          .collect(Collectors.toCollection(TreeSet::new));
    }

    void mend() {
      taken.forEach(
          document -> {
            history.deleteOne(byId(document));
            history.insertOne(document);
          });
      history.deleteOne(byId(made));
      lastKnown.replaceOne(byId(users.get(2)), users.get(2));
      lastKnown.insertOne(users.get(3));
    }

    /** A document with a place that is nobody's newest. */
    private Document oldestOf(int user) {
      return history
          .find(
              Filters.and(
                  Filters.eq("user", users.get(user).getString("_id")), Filters.exists("loc")))
          .sort(Sorts.ascending("ts", "cell"))
          .limit(1)
          .into(new ArrayList<>())
          .get(0);
    }

    private Instant newestOf(int user) {
      return users.get(user).get("last", Document.class).getDate("ts").toInstant();
    }

    private static Bson byId(Document document) {
      return Filters.eq("_id", document.get("_id"));
    }
  }
}
