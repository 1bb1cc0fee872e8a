package io.lastfix.it.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.jobs.kafka.messages.LocatedTopicSerializer;
import io.lastfix.jobs.kafka.topics.KafkaTopics;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code rule test} and {@code rule replay} beside what the rules job finds in these records. */
class RuleReplayIT {
  private static final Position AIRPORT = new Position(-122.388, 37.6155);
  private static final Position CITY = new Position(-122.42, 37.77);
  private static final String RULE = "{id: left-airport, when: {fence: sfo, is: left, for: 1s}}";
  private static final String LATE = "late";
  private static final int USERS = 20;

  @TempDir private static Path directory;

  private static TestStack stack;

  /** After the rule is put: earlier alerts are not compared. */
  private long begin;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
  }

  @Test
  void aTestFindsWhatTheJobFinds_AndAReplayWhatCameOutOfOrder() throws Exception {
    try (LocationRun run =
        new LocationRun(
            stack,
            directory,
            "rule-replay",
            "job.parallelism=1",
            "source.start=earliest",
            "located.topic=rule-replay.located",
            "devices.presence-topic=rule-replay.presence",
            "rules.topic=rule-replay.rules",
            "rules.applied-topic=rule-replay.applied",
            "rules.alerts-topic=rule-replay.alerts")) {
      String rule = file("left.yaml", RULE);
      String fence =
          file(
              "sfo.json",
              "{\"type\":\"Point\",\"coordinates\":[%s,%s]}"
                  .formatted(AIRPORT.lon(), AIRPORT.lat()));
      lastfix(run, "fence", "put", "sfo", fence, "--radius", "1500").mustExitWith(0);
      lastfix(run, "rule", "put", rule).mustExitWith(0);
      begin = Instant.now().plusSeconds(1).toEpochMilli();
      List<LocatedRecord> arriving = arriving();
      store(run, arriving);

      List<JsonNode> tested = alerts(trial(run, "test", "left-airport"));
      assertThat(tested).hasSize(USERS + 2);
      assertThat(alerts(trial(run, "test", rule)))
          .extracting(alert -> alert.path("user").asText() + alert.path("at").asText())
          .containsExactlyElementsOf(
              tested.stream()
                  .map(alert -> alert.path("user").asText() + alert.path("at").asText())
                  .toList());

      send(run, arriving);
      String job = run.submitRules(null);
      await("an alert of each user")
          .atMost(LocationRun.LIMIT)
          .until(() -> stored(run).size() == USERS + 1);
      JsonNode missed =
          tested.stream()
              .filter(alert -> alert.path("user").asText().equals(LATE))
              .findFirst()
              .orElseThrow();
      assertThat(tested)
          .filteredOn(alert -> !alert.equals(missed))
          .containsExactlyInAnyOrderElementsOf(stored(run));

      JsonNode replayed = trial(run, "replay", "left-airport").json();
      assertThat(replayed.path("same").asInt()).isEqualTo(USERS + 1);
      assertThat(replayed.path("surplus").asInt()).isZero();
      assertThat(replayed.path("alerts")).hasSize(1);
      assertThat(replayed.at("/alerts/0/id").asText()).isEqualTo(missed.path("id").asText());
      assertThat(replayed.at("/alerts/0/state").asText()).isEqualTo("missing");
      assertThat(stored(run)).hasSize(USERS + 1);
      run.cancel(job);
    }
  }

  /** Of all users but one, the records arrive in their order. */
  private List<LocatedRecord> arriving() {
    List<LocatedRecord> records = new ArrayList<>();
    for (int i = 0; i < USERS; i++) {
      String user = "user-" + i;
      records.add(record(user, 0, AIRPORT));
      records.add(record(user, 1_000, CITY));
      records.add(record(user, 2_200, CITY));
    }
    records.add(record(LATE, 1_000, CITY));
    records.add(record(LATE, 2_200, CITY));
    records.add(record(LATE, 0, AIRPORT));
    records.add(record(LATE, 5_000, AIRPORT));
    records.add(record(LATE, 6_400, AIRPORT));
    records.add(record(LATE, 6_700, CITY));
    records.add(record(LATE, 7_900, CITY));
    return records;
  }

  private LocatedRecord record(String user, int millis, Position position) {
    Fix fix = new Fix(position, PositionSource.GNSS, 12.5, null, null);
    return new LocatedRecord(user, new Place.AtFix(fix), begin + millis, null, false);
  }

  private static String file(String name, String content) throws Exception {
    return Files.writeString(directory.resolve(name), content).toString();
  }

  private static Result lastfix(LocationRun run, String... arguments) {
    return LastfixInProcess.run(run, arguments);
  }

  /** Of the time of all records, which may not be over yet. */
  private Result trial(LocationRun run, String command, String rule) {
    String from = Instant.ofEpochMilli(begin).toString();
    String to = Instant.ofEpochMilli(begin).plusSeconds(10).toString();
    return lastfix(run, "rule", command, rule, "--json", "--from", from, "--to", to)
        .mustExitWith(0);
  }

  private static List<JsonNode> alerts(Result result) throws Exception {
    List<JsonNode> alerts = new ArrayList<>();
    result.json().path("alerts").forEach(alerts::add);
    return alerts;
  }

  /** As {@code lastfix alerts} shows them. */
  private static List<JsonNode> stored(LocationRun run) throws Exception {
    return alerts(lastfix(run, "alerts", "--json"));
  }

  /** As the location job does. */
  private static void store(LocationRun run, List<LocatedRecord> records) {
    for (LocatedRecord record : records) {
      String partition = run.config().history().collectionAt(record.timestampMillis());
      var unused =
          run.database()
              .getCollection(partition, BsonDocument.class)
              .bulkWrite(List.of(new HistoryDocumentConverter().apply(record)));
    }
  }

  /** As the location job does, in that order. */
  private static void send(LocationRun run, List<LocatedRecord> records) throws Exception {
    String located = Objects.requireNonNull(run.config().locatedTopic());
    new KafkaTopics(run.admin(), run.config().kafka()).ensureLocated(located);
    LocatedTopicSerializer serializer = new LocatedTopicSerializer(located, () -> {});
    for (LocatedRecord record : records) {
      run.producer().send(serializer.serialize(record, null, null)).get();
    }
  }
}
