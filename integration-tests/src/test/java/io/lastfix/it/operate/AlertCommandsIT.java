package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.TestStack;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.alerts.AlertConverter;
import io.lastfix.store.alerts.TestAlerts;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.PartitionPeriod;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code lastfix alerts} over a real database and a real broker. */
class AlertCommandsIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final String DATABASE = "alert_commands";
  private static final Instant AT = TestAlerts.AT;

  @TempDir private static Path directory;

  private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.shared();
    NumberCollections alerts = NumberCollections.ofAlerts(PartitionPeriod.MONTH);
    try (MongoClient mongo = MongoClients.create(stack.mongoUri())) {
      for (Alert alert :
          List.of(
              TestAlerts.LEFT,
              TestAlerts.of("anna", "left-airport", AT.plusSeconds(60)),
              TestAlerts.of("anna", "left-depot", AT.plusSeconds(3_600)))) {
        mongo
            .getDatabase(DATABASE)
            .getCollection(alerts.collectionAt(alert.atMillis()), BsonDocument.class)
            .bulkWrite(List.of(AlertConverter.upsert(alert)));
      }
    }
  }

  private static Result alerts(String... options) {
    return alertsIn(DATABASE, options);
  }

  private static Result alertsIn(String database, String... options) {
    List<String> all = new ArrayList<>(List.of("alerts"));
    all.addAll(List.of(options));
    all.addAll(List.of("--mongo-uri", stack.mongoUri(), "--set", "mongo.database=" + database));
    return LastfixInProcess.run(all.toArray(String[]::new));
  }

  @Test
  void aTableHasTheNewestOnesOldestFirst() {
    Result all = alerts().mustExitWith(0);
    assertThat(all.out().lines().toList())
        .containsExactly(
            "AT                    USER     RULE          KIND  FENCE  LON     LAT   COUNTED"
                + "  CONFIRMED",
            "2026-11-20T12:00:00Z  ashgati  left-airport  left  sfo    -122.4  37.7  3      "
                + "  2026-11-20T12:01:00Z",
            "2026-11-20T12:01:00Z  anna     left-airport  left  sfo    -122.4  37.7  3      "
                + "  2026-11-20T12:01:00Z",
            "2026-11-20T13:00:00Z  anna     left-depot    left  sfo    -122.4  37.7  3      "
                + "  2026-11-20T13:00:00Z");

    Result newest = alerts("--limit", "2").mustExitWith(0);
    assertThat(newest.out()).hasLineCount(3).doesNotContain("ashgati");
    assertThat(newest.err()).contains("There are more than these 2: raise --limit");
  }

  @Test
  void whatIsNoAlertIsNamed_AndTheOthersAreShown() {
    String database = DATABASE + "_broken";
    try (MongoClient mongo = MongoClients.create(stack.mongoUri())) {
      MongoCollection<BsonDocument> collection =
          mongo.getDatabase(database).getCollection("alerts_2026_11", BsonDocument.class);
      collection.bulkWrite(List.of(AlertConverter.upsert(TestAlerts.LEFT)));
      for (String user : List.of("anna", "ben")) {
        BsonDocument id = AlertConverter.id(TestAlerts.of(user, "fast", AT.plusSeconds(1)));
        collection.insertOne(new BsonDocument("_id", id));
      }
    }

    Result found = alertsIn(database).mustExitWith(0);

    assertThat(found.out()).contains("ashgati").hasLineCount(2);
    assertThat(found.err())
        .containsOnlyOnce("Documents of alerts_2026_11 that are no alerts are skipped: confirmed:")
        .doesNotContain("anna", "There are more");
  }

  @Test
  void theyAreSelectedByRuleUserAndTime() throws Exception {
    JsonNode json = alerts("--rule", "left-airport", "--user", "ashgati", "--json").json();
    assertThat(json.path("more").asBoolean()).isFalse();
    assertThat(json.path("alerts"))
        .containsExactly(new ObjectMapper().readTree(AlertCodec.value(TestAlerts.LEFT)));

    assertThat(alerts("--to", "2026-11-20T13:00:01Z", "--last", "10m").mustExitWith(0).out())
        .contains("left-depot")
        .hasLineCount(2);
    assertThat(alerts("--to", "2026-11-20T12:01Z", "--csv").mustExitWith(0).out())
        .contains("ashgati,left-airport,left,sfo,-122.4,37.7,3,", ",\"webhook dispatch, mqtt ")
        .hasLineCount(2);
    assertThat(alerts("--from", "2026-11-20T12:30Z", "--geojson").mustExitWith(0).out())
        .contains("{\"type\":\"Point\",\"coordinates\":[-122.4,37.7]}");
    assertThat(alerts("--user", "nobody").mustExitWith(3).err())
        .contains("No alerts of that rule, user and time");
  }

  @Test
  void thoseThatComeAreFollowedUntilTheReaderEnds() throws Exception {
    String topic = "alert-commands";
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      admin.createTopics(List.of(new NewTopic(topic, 2, (short) 1))).all().get();
    }
    LastfixProcess lastfix = new LastfixProcess(directory.resolve("home"), directory);
    try (Producer<byte[], byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", stack.kafka()),
                new ByteArraySerializer(),
                new ByteArraySerializer());
        LastfixProcess.Running head =
            lastfix.startBefore(
                "head -n 2",
                "alerts",
                "--follow",
                "--json",
                "--user",
                TestAlerts.LEFT.user(),
                "--kafka",
                stack.kafka(),
                "--set",
                "rules.alerts-topic=" + topic)) {
      await("it has ended, because head has")
          .atMost(LIMIT)
          .pollInterval(Duration.ofMillis(500))
          .until(
              () -> {
                for (Alert alert : List.of(TestAlerts.FAST, TestAlerts.LEFT)) {
                  producer
                      .send(
                          new ProducerRecord<>(
                              topic, AlertCodec.key(alert), AlertCodec.value(alert)))
                      .get();
                }
                return head.hasEnded();
              });
      assertThat(head.out().lines())
          .hasSize(2)
          .containsOnly(AlertCodec.json(TestAlerts.LEFT).toString());
    }
  }

  @Test
  void aTopicThatDoesNotExistIsNamed() {
    assertThat(
            LastfixInProcess.run(
                    "alerts",
                    "--follow",
                    "--kafka",
                    stack.kafka(),
                    "--set",
                    "rules.alerts-topic=no-alerts")
                .mustExitWith(1)
                .err())
        .contains("there is no topic no-alerts, so no alert can come");
  }
}
