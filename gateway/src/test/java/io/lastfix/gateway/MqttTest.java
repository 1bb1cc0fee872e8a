package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage.Bye;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The gateway as a client of a broker, packet by packet. */
@Execution(ExecutionMode.CONCURRENT)
class MqttTest {
  private static final String TOPIC = "lastfix/v1/350000000007919/records/json";
  private static final String REFUSED =
      "lastfix_gateway_refused_total{problem=\"%s\",route=\"mqtt-other\"}";
  private static final Duration QUIET = Duration.ofMillis(300);

  private final RecordingSender sender = new RecordingSender();
  private FakeBroker broker;
  private TestGateway gateway;

  @BeforeEach
  void startBroker() throws IOException {
    broker = new FakeBroker();
  }

  @AfterEach
  void stop() throws IOException {
    if (gateway != null) {
      gateway.close();
    }
    broker.close();
  }

  private FakeBroker.Connection start(String... overrides) {
    gateway = TestGateway.startWithBroker(sender, broker.address(), overrides);
    return broker.subscribed();
  }

  private OutgoingRecord onlyRecord() {
    await().until(() -> !sender.records().isEmpty());
    assertThat(sender.records()).hasSize(1);
    return sender.records().get(0);
  }

  @Test
  void aMessageBecomesOneInKafkaWithTheDeviceOfItsTopic() throws Exception {
    FakeBroker.Connection connection = start();

    connection.publish(7, TOPIC, JSON_RECORD.getBytes(UTF_8), Map.of("Lastfix-SDK", "acme/1.2.0"));

    OutgoingRecord record = onlyRecord();
    assertThat(record.topic()).isEqualTo("lastfix.location.json");
    assertThat(record.key()).isEqualTo("350000000007919");
    assertThat(new String(record.value(), UTF_8)).isEqualTo(JSON_RECORD);
    assertThat(record.headers())
        .containsEntry("device", "350000000007919")
        .containsEntry("via", "mqtt-records")
        .containsEntry("auth", "unsigned")
        .containsEntry("sdk", "acme/1.2.0")
        .containsKey("received");
    await().until(() -> connection.acknowledged().equals(List.of(7)));
    assertThat(connection.filters())
        .startsWith("$share/lastfix/lastfix/v1/+/#", "$share/lastfix/owntracks/+/+");
    assertThat(
            gateway.metric(
                "lastfix_gateway_records_total{profile=\"json\",route=\"mqtt-records\"}"))
        .isEqualTo(1);
    assertThat(gateway.metric("lastfix_gateway_mqtt_received_total")).isEqualTo(1);
    assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isEqualTo(1);
    // There before the first one, or Prometheus would not see the counter grow.
    assertThat(gateway.get("/metrics").body())
        .contains("\nlastfix_gateway_mqtt_not_stored_total 0.0\n")
        .contains("\nlastfix_gateway_mqtt_taken_over_total 0.0\n");
    assertThat(gateway.get("/ready").body()).contains("\"mqtt\":\"ready\"");
  }

  /** The broker does not say who has published: only its access list knows that. */
  @Test
  void noMessageOfOwnTracksSaysThatItsSenderIsProvedWhateverItClaims() throws Exception {
    start()
        .publish(
            7,
            "owntracks/jane/phone",
            "{\"_type\":\"location\"}".getBytes(UTF_8),
            Map.of("auth", "basic", "device", "jane", "speaks-for", "owntracks/jane/*"));

    assertThat(onlyRecord().headers())
        .containsEntry(SenderHeaders.AUTH, "unsigned")
        .containsEntry(SenderHeaders.DEVICE, "owntracks/jane/phone")
        .doesNotContainKey(SenderHeaders.SPEAKS_FOR);
  }

  @Test
  void theBrokerGetsNoAcknowledgementBeforeKafkasHowLongEverThatTakes() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start();
    connection.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 1);

    await().during(QUIET).until(() -> connection.acknowledged().isEmpty());
    sender.acknowledge(0);

    await().until(() -> connection.acknowledged().equals(List.of(1)));
  }

  @Test
  void acknowledgementsKeepTheOrderOfTheMessages() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start();
    connection.publish(1, TOPIC, JSON_RECORD);
    connection.publish(2, "lastfix/v1/other/records/json", JSON_RECORD);
    connection.publish(3, "lastfix/v1/other/records/nonsense", JSON_RECORD);
    await().until(() -> sender.records().size() == 2);

    sender.acknowledge(1);
    await().during(QUIET).until(() -> connection.acknowledged().isEmpty());
    sender.acknowledge(0);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3)));
  }

  @Test
  void aMessageThatKafkaDoesNotTakeEndsTheConnectionAndIsTakenAgainOnTheNext() throws Exception {
    sender.holding();
    FakeBroker.Connection first = start();
    first.publish(1, TOPIC, JSON_RECORD);
    first.publish(2, "lastfix/v1/other/records/json", JSON_RECORD);
    await().until(() -> sender.records().size() == 2);

    sender.fail(0, NotStored.because("Kafka is away"));
    await().until(first::isEnded);
    // Too late: the broker delivers both again.
    sender.acknowledge(1);
    await().until(() -> broker.connections().size() == 2);
    FakeBroker.Connection second = broker.subscribed();
    second.publish(1, TOPIC, JSON_RECORD);
    second.publish(2, "lastfix/v1/other/records/json", JSON_RECORD);
    await().until(() -> sender.records().size() == 4);
    sender.acknowledge(2);
    sender.acknowledge(3);

    await().until(() -> second.acknowledged().equals(List.of(1, 2)));
    assertThat(first.acknowledged()).isEmpty();
    assertThat(gateway.metric("lastfix_gateway_mqtt_not_stored_total")).isEqualTo(1);
  }

  @Test
  void messagesBeforeOneThatKafkaDoesNotTakeAreAcknowledgedAndNoneIsTakenAfterIt()
      throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start();
    connection.publish(1, TOPIC, JSON_RECORD);
    connection.publish(2, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 2);

    sender.fail(1, NotStored.because("Kafka is away"));
    connection.publish(3, TOPIC, JSON_RECORD);
    await().during(QUIET).until(() -> connection.events().isEmpty());
    sender.acknowledge(0);

    await()
        .untilAsserted(
            () ->
                assertThat(connection.events())
                    .containsExactly("acknowledged 1", "disconnect", "end"));
    assertThat(sender.records()).hasSize(2);
  }

  @Test
  void aBacklogThatWaitsForTheBudgetDoesNotCostTheConnection() throws Exception {
    sender.holding();
    broker.onConnect(
        connection -> {
          for (int id = 1; id <= 5; id++) {
            connection.publish(id, TOPIC, new byte[1000], Map.of());
          }
        });
    Thread start =
        new Thread(
            () ->
                gateway =
                    TestGateway.startWithBroker(
                        sender,
                        broker.address(),
                        "limits.max-bytes=1 kb",
                        "limits.budget=1 mb",
                        "mqtt.budget=12 kb"));
    start.start();
    await().until(() -> sender.records().size() == 2);
    FakeBroker.Connection connection = broker.connections().get(0);

    // Longer than the broker may take for an answer otherwise.
    await().during(Duration.ofSeconds(12)).until(() -> broker.connections().size() == 1);
    for (int index = 0; index < 5; index++) {
      int next = index;
      await().until(() -> sender.records().size() > next);
      sender.acknowledge(next);
    }
    start.join();

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3, 4, 5)));
    assertThat(connection.filters()).hasSize(3);
    assertThat(broker.connections()).hasSize(1);
  }

  @Test
  void userPropertiesHaveALimitAndCountForTheBudget() throws Exception {
    sender.holding();
    FakeBroker.Connection connection =
        start("limits.max-bytes=1 kb", "limits.budget=1 mb", "mqtt.budget=20 kb");
    connection.publish(1, TOPIC, new byte[10], Map.of("a", "x".repeat(10_000)));
    connection.publish(2, TOPIC, new byte[10], Map.of("a", "x".repeat(16 * 1024)));
    await().until(() -> sender.records().size() == 1);

    await()
        .during(QUIET)
        .until(() -> gateway.metric("lastfix_gateway_mqtt_budget_used_bytes") == 14_107);
    assertThat(gateway.metric(REFUSED.formatted("head-too-large"))).isZero();
    sender.acknowledge(0);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    assertThat(gateway.metric(REFUSED.formatted("head-too-large"))).isEqualTo(1);
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_budget_used_bytes") == 0);
  }

  @Test
  void aRefusedMessageHasItsPartOfTheBudgetUntilTheClientLetsItGo() throws Exception {
    sender.holding();
    FakeBroker.Connection connection =
        start("limits.max-bytes=1 kb", "limits.budget=1 mb", "mqtt.budget=10 kb");
    connection.publish(1, TOPIC, JSON_RECORD);
    for (int id = 2; id <= 4; id++) {
      connection.publish(id, "lastfix/v1/d/other", JSON_RECORD);
    }
    await().until(() -> gateway.metric(REFUSED.formatted("topic")) == 1);

    await().during(QUIET).until(() -> gateway.metric(REFUSED.formatted("topic")) == 1);
    sender.acknowledge(0);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3, 4)));
  }

  @Test
  void whileKafkaIsAwayNoConnectionIsMade() throws Exception {
    sender.holding();
    FakeBroker.Connection first = start();
    first.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 1);
    gateway.kafkaProblem = "no leader of lastfix.location.json-0";
    sender.fail(0, NotStored.because("Kafka is away"));
    await().until(first::isEnded);

    await()
        .untilAsserted(
            () ->
                assertThat(gateway.get("/ready").body())
                    .contains("not connected, because the gateway is not ready: no leader"));
    await().during(QUIET).until(() -> broker.connections().size() == 1);
    gateway.kafkaProblem = null;

    await().until(() -> broker.connections().size() == 2);
  }

  @ParameterizedTest
  @CsvSource({
    "lastfix/v1/d/records/nonsense, {}, mqtt-records, unknown-profile",
    "lastfix/v1/d/records/json, '', mqtt-records, empty",
    "lastfix/v1/d/records/json, LARGE, mqtt-records, too-large",
    "lastfix/v1/d/records/json, BOMB, mqtt-records, ratio",
    "lastfix/v1//records/json, {}, mqtt-other, topic",
    "lastfix/v1/d/records, {}, mqtt-other, topic",
    "lastfix/v1/d/other, {}, mqtt-other, topic",
    "lastfix/v1/d/heartbeat, {}, mqtt-heartbeat, bad-request",
    "lastfix/v1/d/heartbeat, '', mqtt-heartbeat, bad-request",
    "lastfix/v1/d/heartbeat, LARGE, mqtt-heartbeat, too-large",
    "owntracks/jane/phone, '[{}]', mqtt-owntracks, not-its-topic",
    "owntracks/jane/phone, '{\"topic\":\"owntracks/joe/phone\"}', mqtt-owntracks, not-its-topic",
    "owntracks/jane/phone, '{} {}', mqtt-owntracks, not-its-topic"
  })
  void whatCanNeverBeStoredIsAcknowledgedAndCounted(
      String topic, String payload, String route, String reason) throws Exception {
    FakeBroker.Connection connection = start("limits.max-bytes=100 kb");
    byte[] bytes =
        switch (payload) {
          case "LARGE" -> new byte[101 * 1024];
          case "BOMB" -> TestGateway.bomb(90 * 1024);
          default -> payload.getBytes(UTF_8);
        };

    connection.publish(1, topic, bytes, Map.of());
    connection.publish(2, TOPIC, JSON_RECORD);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    assertThat(sender.records()).hasSize(1);
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"%s\",route=\"%s\"}"
                    .formatted(reason, route)))
        .isEqualTo(1);
  }

  /** What fails unexpectedly is delivered again, and again, and everything behind it waits. */
  @Test
  void tenThousandsOfEmptyGzipMembersHoldBackNothing() throws Exception {
    FakeBroker.Connection connection = start();
    byte[] member = TestGateway.gzip(new byte[0]);
    byte[] members = new byte[20_000 * member.length];
    for (int i = 0; i < members.length; i++) {
      members[i] = member[i % member.length];
    }

    connection.publish(1, TOPIC, members, Map.of());
    connection.publish(2, TOPIC, JSON_RECORD);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
  }

  @Test
  void aMessageThatIsTooLargeForItsTopicIsAcknowledgedSinceRepeatingDoesNotHelp() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start();
    connection.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 1);

    sender.fail(0, NotStored.tooLarge());

    await().until(() -> connection.acknowledged().equals(List.of(1)));
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"too-large-for-topic\",route=\"mqtt-records\"}"))
        .isEqualTo(1);
  }

  @Test
  void anOwnTracksMessageGetsItsTopic() throws Exception {
    FakeBroker.Connection connection = start();

    connection.publish(1, "owntracks/jane/phone", "{\"_type\":\"location\",\"tid\":\"ph\"}");

    OutgoingRecord record = onlyRecord();
    assertThat(record.topic()).isEqualTo("lastfix.location.owntracks");
    assertThat(record.key()).isEqualTo("owntracks/jane/phone");
    assertThat(new String(record.value(), UTF_8))
        .isEqualTo("{\"topic\":\"owntracks/jane/phone\",\"_type\":\"location\",\"tid\":\"ph\"}");
  }

  @Test
  void aRecordIsASignOfLifeAndCountsForTheQuota() throws Exception {
    FakeBroker.Connection connection = start("quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb");
    byte[] body = (JSON_RECORD + " ".repeat(600 - JSON_RECORD.length())).getBytes(UTF_8);
    connection.publish(1, TOPIC, body, Map.of("Lastfix-SDK", "acme/1.2.0"));
    connection.publish(2, TOPIC, body, Map.of());
    connection.publish(3, "lastfix/v1/other/records/json", body, Map.of());

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3)));

    assertThat(sender.records())
        .extracting(OutgoingRecord::key)
        .containsExactly("350000000007919", "other");
    assertThat(sender.signs())
        .extracting(OutgoingRecord::key)
        .containsExactly("350000000007919", "other");
    assertThat(HeartbeatCodec.read(sender.signs().get(0).value()))
        .isEqualTo(new RecordSign(600, "acme/1.2.0"));
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"quota\",route=\"mqtt-records\"}"))
        .isEqualTo(1);
    assertThat(gateway.metric("lastfix_gateway_quota_over_devices")).isEqualTo(1);
    assertThat(gateway.metric("lastfix_gateway_mqtt_budget_used_bytes")).isZero();
    assertThat(
            gateway
                .post(
                    "/v1/records/json",
                    new String(body, UTF_8),
                    "Lastfix-Device",
                    "350000000007919")
                .statusCode())
        .as("one quota for both ways")
        .isEqualTo(429);
  }

  @Test
  void aWillOfOwnTracksCountsForTheQuotaToo() throws Exception {
    FakeBroker.Connection connection = start("quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb");
    String will = "{\"_type\":\"lwt\",\"tst\":1795176001}" + " ".repeat(600);

    connection.publish(1, "owntracks/jane/phone", will);
    connection.publish(2, "owntracks/jane/phone", will);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    assertThat(sender.records()).hasSize(1);
  }

  @Test
  void aRecordThatKafkaDoesNotTakeCountsForNoQuota() throws Exception {
    sender.holding();
    FakeBroker.Connection first = start("quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb");
    byte[] body = (JSON_RECORD + " ".repeat(600 - JSON_RECORD.length())).getBytes(UTF_8);
    first.publish(1, TOPIC, body, Map.of());
    await().until(() -> sender.records().size() == 1);
    sender.fail(0, NotStored.because("Kafka is away"));
    await().until(() -> broker.connections().size() == 2);
    FakeBroker.Connection second = broker.subscribed();

    second.publish(1, TOPIC, body, Map.of());
    await().until(() -> sender.records().size() == 2);
    sender.acknowledge(1);

    await().until(() -> second.acknowledged().equals(List.of(1)));
    assertThat(sender.signs()).hasSize(1);
  }

  @Test
  void aHeartbeatIsStoredAndHoldsBackNoRecord() throws Exception {
    sender.holdingSigns();
    FakeBroker.Connection connection = start();
    byte[] body = "{\"seq\":7,\"interval\":60,\"class\":\"tracker\"}".getBytes(UTF_8);

    connection.publish(1, "lastfix/v1/d/heartbeat", body, Map.of("lastfix-sdk", "acme/1.2.0"));
    connection.publish(2, TOPIC, JSON_RECORD);

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    sender.acknowledgeSigns();
    assertThat(sender.records()).hasSize(1);
    assertThat(sender.signs().get(0).key()).isEqualTo("d");
    assertThat(HeartbeatCodec.read(sender.signs().get(0).value()))
        .isEqualTo(new Heartbeat(body.length, 7, 60, "tracker", "acme/1.2.0", null, null));
    assertThat(gateway.metric("lastfix_gateway_signs_total{kind=\"heartbeat\"}")).isEqualTo(1);
  }

  @Test
  void aHeartbeatAndAByeThatKafkaDoesNotTakeAreCountedAsLost() throws Exception {
    sender.withoutHeartbeats(NotStored.because("away"));
    FakeBroker.Connection connection = start();

    connection.publish(1, "lastfix/v1/d/heartbeat", "{\"seq\":7,\"interval\":60}");
    connection.publish(2, "lastfix/v1/d/bye", "");

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    assertThat(connection.isEnded()).isFalse();
    assertThat(gateway.metric("lastfix_gateway_signs_lost_total")).isEqualTo(2);
  }

  @Test
  void aWillIsStoredAsAByeAndIsNoSignOfLife() throws Exception {
    FakeBroker.Connection connection = start();

    connection.publish(1, "lastfix/v1/d/bye", new byte[0], Map.of());
    connection.publish(2, "owntracks/jane/phone", "{\"_type\":\"lwt\",\"tst\":1795176001}");

    await().until(() -> connection.acknowledged().equals(List.of(1, 2)));
    assertThat(sender.records())
        .extracting(OutgoingRecord::key)
        .containsExactly("owntracks/jane/phone");
    assertThat(sender.signs())
        .extracting(OutgoingRecord::key)
        .containsExactly("d", "owntracks/jane/phone");
    for (OutgoingRecord sign : sender.signs()) {
      assertThat(HeartbeatCodec.read(sign.value())).isEqualTo(new Bye());
    }
    assertThat(gateway.metric("lastfix_gateway_signs_total{kind=\"bye\"}")).isEqualTo(2);
  }

  @Test
  void whileTheBudgetIsUsedUpNothingIsReadAndAllOfItArrivesLater() throws Exception {
    sender.holding();
    FakeBroker.Connection connection =
        start("limits.max-bytes=1 kb", "limits.budget=1 mb", "mqtt.budget=12 kb");
    byte[] body = new byte[1000];
    for (int id = 1; id <= 5; id++) {
      connection.publish(id, TOPIC, body, Map.of());
    }

    await().until(() -> sender.records().size() == 2);
    await().during(QUIET).until(() -> sender.records().size() == 2);
    assertThat(gateway.metric("lastfix_gateway_mqtt_budget_used_bytes"))
        .isBetween(10_000.0, 12_288.0);
    assertThat(connection.acknowledged()).isEmpty();
    for (int index = 0; index < 5; index++) {
      int next = index;
      await().until(() -> sender.records().size() > next);
      sender.acknowledge(next);
    }

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3, 4, 5)));
    assertThat(broker.connections()).hasSize(1);
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_budget_used_bytes") == 0);
  }

  @Test
  void aStopAcknowledgesWhatKafkaHasAndLeavesTheRestToTheBroker() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start("http.drain-timeout=60 s");
    connection.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 1);

    Thread stop = new Thread(gateway::close);
    stop.start();
    // By then it takes no messages; it may still say that it drains while it takes them.
    await().until(this::isWithoutHttp);
    connection.publish(2, TOPIC, JSON_RECORD);
    await().during(QUIET).until(() -> connection.events().isEmpty());
    sender.acknowledge(0);
    stop.join();

    await()
        .untilAsserted(
            () ->
                assertThat(connection.events())
                    .containsExactly("acknowledged 1", "disconnect", "end"));
    assertThat(sender.records()).hasSize(1);
  }

  private boolean isWithoutHttp() throws Exception {
    try {
      gateway.get("/ready");
      return false;
    } catch (IOException e) {
      return true;
    }
  }

  @Test
  void aConnectionThatIsCutIsFollowedByANewOne() throws Exception {
    FakeBroker.Connection first = start();

    first.cut();

    await().until(() -> broker.connections().size() == 2);
    FakeBroker.Connection second = broker.subscribed();
    second.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> second.acknowledged().equals(List.of(1)));
  }

  @Test
  void aTakeoverIsCountedAndSeenAndTheSecretIsNotShown() throws Exception {
    FakeBroker.Connection first = start();
    // The outcome of the next attempt would replace the reason.
    broker.answeringNoConnect();

    first.disconnect(0x8e);

    await()
        .untilAsserted(
            () ->
                assertThat(gateway.get("/ready").body())
                    .contains("another client has taken over the session, with the client id in /")
                    .containsPattern("\"mqttTakenOver\":\"20..-..-..T..:..:..Z\"")
                    .doesNotContain("id-of-the-test"));
    assertThat(gateway.metric("lastfix_gateway_mqtt_taken_over_total")).isEqualTo(1);
  }

  @Test
  void aBrokerThatDeliversNothingIsConnectedAnewThenTheGatewayIsToBeStartedAgain()
      throws Exception {
    FakeBroker.Connection first = start("mqtt.probe-interval=900 ms");
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    assertThat(gateway.get("/ready").body()).doesNotContain("mqttTakenOver");
    broker.deliveringProbes(topic -> "");

    await().until(first::isEnded);
    await().until(() -> gateway.get("/health").statusCode() == 503);

    assertThat(gateway.get("/health").body())
        .contains("has delivered nothing on 3 connections in a row");
    assertThat(gateway.metric("lastfix_gateway_mqtt_silent_total")).isGreaterThanOrEqualTo(4);
    assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isZero();
    assertThat(gateway.get("/ready").statusCode()).as("HTTP works").isEqualTo(200);
    broker.deliveringProbes(topic -> topic);

    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
    assertThat(sender.records()).isEmpty();
    assertThat(sender.signs()).isEmpty();
    assertThat(gateway.metric("lastfix_gateway_mqtt_received_total")).isZero();
  }

  /** As a HiveMQ does that was killed: it delivers what it had held, then nothing. */
  @Test
  void afterASilenceOnlyAProbeThatComesBackMakesTheGatewayReady() throws Exception {
    FakeBroker.Connection first = start("mqtt.probe-interval=900 ms");
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    broker
        .deliveringProbes(topic -> "")
        .onConnect(
            connection -> {
              connection.publish(1, TOPIC, JSON_RECORD);
              connection.publish(2, "owntracks/jane/phone", "{}");
            });

    await().until(first::isEnded);
    await()
        .during(Duration.ofSeconds(2))
        .until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 0);

    assertThat(broker.connections().size()).isGreaterThan(3);
    assertThat(gateway.get("/health").statusCode()).as("a new process is no better").isEqualTo(200);
  }

  @Test
  void aProbeThatAnotherGatewayHasTakenCountsToo() throws Exception {
    broker.deliveringProbes(
        topic -> {
          String[] levels = topic.split("/", -1);
          return "lastfix/probe/" + levels[levels.length - 1] + "/" + levels[0];
        });
    FakeBroker.Connection connection = start("mqtt.probe-interval=6 s");

    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);

    assertThat(connection.filters().get(2)).matches("lastfix/probe/[0-9a-f]{16}/\\+");
    assertThat(connection.published())
        .allMatch(topic -> topic.matches("(lastfix/v1|owntracks)/lastfix-probe/[0-9a-f]{16}"));
  }

  @ParameterizedTest
  @CsvSource({
    "lastfix/v1/lastfix-probe/0123456789abcdef, lastfix/probe/0123456789abcdef/lastfix",
    "owntracks/lastfix-probe/0123456789abcdef, lastfix/probe/0123456789abcdef/owntracks"
  })
  void aProbeOfAnotherGatewayIsAnsweredAndBecomesNoRecord(String probe, String answer)
      throws Exception {
    FakeBroker.Connection connection = start();

    connection.publish(1, probe, "");

    await().until(() -> connection.published().contains(answer));
    await().until(() -> connection.acknowledged().equals(List.of(1)));
    assertThat(sender.records()).isEmpty();
    assertThat(sender.signs()).isEmpty();
    assertThat(gateway.metric("lastfix_gateway_mqtt_received_total")).isZero();
  }

  @Test
  void theAnswersToProbesOfOthersThatTheBrokerHasNotTakenAreFew() throws Exception {
    FakeBroker.Connection connection = start();
    broker.answeringNoPublish();
    String first = "lastfix/probe/%016x/owntracks".formatted(1);

    for (int i = 0; i < 50; i++) {
      connection.publish(i + 1, "owntracks/lastfix-probe/%016x".formatted(1), "");
    }
    for (int i = 0; i < 150; i++) {
      connection.publish(i + 51, "owntracks/lastfix-probe/%016x".formatted(i + 1), "");
    }

    await().until(() -> connection.acknowledged().size() == 200);
    await()
        .during(QUIET)
        .untilAsserted(
            () ->
                assertThat(connection.published())
                    .filteredOn(topic -> topic.startsWith("lastfix/probe/"))
                    .hasSize(100)
                    .doesNotHaveDuplicates()
                    .startsWith(first));
  }

  @Test
  void aBrokerThatNeverDeliversIsNoReasonToStartTheGatewayAgain() throws Exception {
    broker.deliveringProbes(topic -> "");
    start("mqtt.probe-interval=300 ms");

    await().until(() -> gateway.metric("lastfix_gateway_mqtt_silent_total") >= 5);

    assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
    assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isZero();
  }

  @Test
  void oneSubscriptionThatDeliversNothingIsNoReasonToStartTheGatewayAgain() throws Exception {
    start("mqtt.probe-interval=900 ms");
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    broker.deliveringProbes(topic -> topic.startsWith("owntracks/") ? "" : topic);

    await().until(() -> gateway.metric("lastfix_gateway_mqtt_silent_total") >= 5);

    assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
    assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isZero();
  }

  /** Some message always waits for Kafka then, and none of them for long. */
  @Test
  void aSubscriptionThatDeliversNothingIsFoundWhileAnotherHasTraffic() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start("mqtt.probe-interval=3 s");
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    broker.deliveringProbes(topic -> topic.startsWith("owntracks/") ? "" : topic);
    connection.publish(1, TOPIC, JSON_RECORD);

    AtomicInteger sent = new AtomicInteger(1);
    await()
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(1))
        .until(
            () -> {
              if (sender.records().size() == sent.get() && !connection.isEnded()) {
                try {
                  connection.publish(sent.incrementAndGet(), TOPIC, JSON_RECORD);
                } catch (SocketException e) {
                  // The gateway has ended the connection since.
                  await().until(connection::isEnded);
                }
                int before = sent.get() - 2;
                await()
                    .pollDelay(Duration.ZERO)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> sender.records().size() == sent.get() || connection.isEnded());
                sender.acknowledge(before);
              }
              return connection.isEnded();
            });

    assertThat(gateway.metric("lastfix_gateway_mqtt_silent_total")).isEqualTo(1);
  }

  @Test
  void aMessageThatWaitsForKafkaIsNoSilence() throws Exception {
    sender.holding();
    FakeBroker.Connection connection = start("mqtt.probe-interval=900 ms");
    await().until(() -> gateway.metric("lastfix_gateway_mqtt_connected") == 1);
    connection.publish(1, TOPIC, JSON_RECORD);
    await().until(() -> sender.records().size() == 1);
    broker.deliveringProbes(topic -> "");

    await().during(Duration.ofSeconds(3)).until(() -> broker.connections().size() == 1);
    broker.deliveringProbes(topic -> topic);
    sender.acknowledge(0);

    await().until(() -> connection.acknowledged().equals(List.of(1)));
  }

  @Test
  void aBrokerThatTakesNoProbesIsRefusedWithOneLine() {
    broker.answeringPublish(0x87);

    assertThatThrownBy(
            () -> TestGateway.startWithBroker(sender, broker.address(), "mqtt.owntracks=closed"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "the MQTT broker at "
                + broker.address()
                + " does not let this gateway publish to lastfix/v1/lastfix-probe/+ (not authorized): allow it, because probes find out whether the broker delivers");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0x2a 0, 1, has no shared subscriptions: allow them",
    "0, 0x28 0, 1, has no subscriptions with wildcards: allow them",
    "0, 0x11 0 0 0 60, 1, 'keeps a session for 60 s only: raise that to 604800 s there, or lower mqtt.session-expiry'",
    "0, '', 0, 'grants only QoS 0 for $share/lastfix/lastfix/v1/+/#: allow QoS 1'",
    "0, '', 0x87, 'does not let this gateway subscribe to its topics (not authorized): allow it'",
    "0, '', 0x9e, 'does not let this gateway subscribe to its topics (shared subscriptions not supported): allow it'",
    "0x84, '', 1, does not speak MQTT 5",
    "0x86, '', 1, 'does not accept this gateway (bad user name or password): check mqtt.user, mqtt.password and the broker''s list'"
  })
  void aBrokerThatGrantsTooLittleIsRefusedWithOneLine(
      String code, String properties, String subscribe, String line) {
    broker
        .answeringConnect(
            Integer.decode(code),
            properties.isEmpty()
                ? new int[0]
                : Arrays.stream(properties.split(" ")).mapToInt(Integer::decode).toArray())
        .answeringSubscribe(Integer.decode(subscribe));

    assertThatThrownBy(() -> TestGateway.startWithBroker(sender, broker.address()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the MQTT broker at " + broker.address() + " " + line);
  }

  @Test
  void aBrokerThatIsAwayDoesNotKeepTheGatewayFromStarting() throws Exception {
    // Bound, but not listening: a client that tries a free port again and again may get it as its
    // own, and be connected with itself.
    try (Socket reserved = new Socket()) {
      reserved.setReuseAddress(true);
      reserved.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
      int port = reserved.getLocalPort();
      gateway = TestGateway.startWithBroker(sender, "mqtt://127.0.0.1:" + port);

      assertThat(gateway.get("/ready").statusCode()).isEqualTo(200);
      assertThat(gateway.get("/ready").body())
          .contains("not connected: the MQTT broker at mqtt://127.0.0.1:" + port);
      assertThat(gateway.metric("lastfix_gateway_mqtt_connected")).isZero();
      try (FakeBroker late = new FakeBroker(port)) {
        FakeBroker.Connection connection = late.subscribed();
        connection.publish(1, TOPIC, JSON_RECORD);
        await().until(() -> connection.acknowledged().equals(List.of(1)));
      }
    }
  }
}
