package io.lastfix.notify.receiver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.kit.net.MqttAddress;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.TestAlert;
import io.lastfix.notify.config.AlertmanagerOptions;
import io.lastfix.notify.config.MqttOptions;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OtherReceiversTest {
  private static final Instant NOW = Instant.parse("2026-11-20T12:05:00Z");

  private static AlertmanagerReceiver alertmanager(URI url) {
    return alertmanager(url, InstantSource.fixed(NOW));
  }

  private static AlertmanagerReceiver alertmanager(URI url, InstantSource clock) {
    return new AlertmanagerReceiver(
        new AlertmanagerOptions(url, Duration.ofMinutes(5)),
        new HttpSender(Duration.ofSeconds(5), clock),
        clock);
  }

  private static JsonNode posted(TestAlert alert) {
    return AlertmanagerReceiver.json(
        alert.alert(), TestAlert.CRITICAL, NOW, NOW.plus(Duration.ofMinutes(5)));
  }

  @Test
  void alertmanagerGetsAnAlertWithLabelsThatRoutesMatch() throws IOException {
    JsonNode posted = posted(TestAlert.of("ashgati"));

    assertThat(posted.path("labels"))
        .isEqualTo(
            new ObjectMapper()
                .readTree(
                    """
                    {"alertname": "left-airport", "user": "ashgati", "kind": "left",
                     "route": "critical", "fence": "sfo"}
                    """));
    assertThat(posted.path("annotations").path("summary").asText())
        .isEqualTo("ashgati: left sfo, 2026-11-20T12:00:00Z");
    assertThat(posted.path("annotations").path("lon").asText()).isEqualTo("-122.4");
    assertThat(posted.path("startsAt").asText()).isEqualTo("2026-11-20T12:00:00Z");
    assertThat(posted.path("endsAt").asText()).isEqualTo("2026-11-20T12:10:00Z");
  }

  @Test
  void anAlertWithoutAFenceNamesItsRule() {
    JsonNode posted = posted(TestAlert.of("ashgati").withoutFence());

    assertThat(posted.path("labels").has("fence")).isFalse();
    assertThat(posted.path("annotations").path("summary").asText())
        .isEqualTo("ashgati: rule left-airport is true, 2026-11-20T12:00:00Z");
  }

  /** Of a sequence, the fence of the last step. */
  @Test
  void anAlertAboutASequenceNamesItsRuleAndItsFence() {
    JsonNode posted = posted(Alert.Kind.SEQUENCE, "sfo", Alert.Cause.RECORD, new Position(1, 2));

    assertThat(posted.path("labels").path("fence").asText()).isEqualTo("sfo");
    assertThat(posted.path("annotations").path("summary").asText())
        .isEqualTo("van-7: rule van is true, 2026-11-20T12:00:00Z");
  }

  @Test
  void anAlertAboutADeviceWithoutARecordHasNoPosition() {
    JsonNode posted = posted(Alert.Kind.SILENT, null, Alert.Cause.SILENCE, null);

    assertThat(posted.path("annotations").fieldNames()).toIterable().containsExactly("summary");
  }

  private static JsonNode posted(
      Alert.Kind kind, @Nullable String fence, Alert.Cause cause, @Nullable Position position) {
    long at = TestAlert.AT.toEpochMilli();
    Alert alert =
        new Alert(
            "van-7",
            at,
            "van",
            1,
            kind,
            at,
            fence,
            cause,
            position,
            null,
            position == null ? null : PositionSource.GNSS,
            null,
            1,
            0,
            List.of(TestAlert.CRITICAL));
    return AlertmanagerReceiver.json(
        alert, TestAlert.CRITICAL, NOW, NOW.plus(Duration.ofMinutes(5)));
  }

  @Test
  void anAlertOfAClockThatIsAheadStartsNow() {
    assertThat(posted(TestAlert.of("ashgati").at(NOW.plusSeconds(60))).path("startsAt").asText())
        .isEqualTo("2026-11-20T12:05:00Z");
  }

  @ParameterizedTest
  @CsvSource({
    "'', /api/v2/alerts",
    "/below, /below/api/v2/alerts",
    "/below/, /below/api/v2/alerts"
  })
  void alertmanagerMayBeBelowAPath(String path, String posted) throws IOException {
    try (FakeReceiver server = new FakeReceiver()) {
      URI url = server.on(posted, exchange -> exchange.sendResponseHeaders(200, -1));

      assertThat(
              alertmanager(url.resolve(path.isEmpty() ? "/" : path))
                  .deliver(TestAlert.of("a").alert(), TestAlert.CRITICAL)
                  .orTimeout(20, TimeUnit.SECONDS)
                  .join())
          .isEqualTo(new Outcome.Delivered());
    }
  }

  @Test
  void anAlertIsPostedAgainUntilItIsResolved() throws IOException {
    AtomicReference<Instant> now = new AtomicReference<>(NOW);
    try (FakeReceiver server = new FakeReceiver();
        AlertmanagerReceiver receiver =
            alertmanager(
                server
                    .on("/api/v2/alerts", exchange -> exchange.sendResponseHeaders(200, -1))
                    .resolve("/"),
                now::get)) {
      for (String user : List.of("anna", "ben", "anna")) {
        now.set(now.get().plusSeconds(60));
        var unused =
            receiver
                .deliver(TestAlert.of(user).alert(), TestAlert.CRITICAL)
                .orTimeout(20, TimeUnit.SECONDS)
                .join();
      }

      // Ben's ends, and anna's newer one is the one that is repeated.
      now.set(NOW.plusSeconds(120 + 300));
      receiver.repeat();
      await().atMost(Duration.ofSeconds(20)).until(() -> server.requests().size() == 4);
      assertThat(server.requests().get(3).body()).isEqualTo(server.requests().get(2).body());

      now.set(NOW.plusSeconds(180 + 300));
      receiver.repeat();
      assertThat(server.requests()).hasSize(4);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "WEBHOOK, dispatch, webhooks.dispatch.url",
    "WEBHOOK, a line, webhooks.NAME.url",
    "MQTT, fleet/a, mqtt.broker",
    "ALERTMANAGER, critical, alertmanager.url"
  })
  void whatNoOtherReceiverTakesIsRefusedWithTheMissingKey(
      Action.Kind kind, String target, String key) {
    Action action = new Action(kind, target);
    Receiver unconfigured = new UnconfiguredReceiver(List.of());

    assertThat(unconfigured.takes(action)).isTrue();
    assertThat(unconfigured.deliver(TestAlert.of("a").alert(), action))
        .isCompletedWithValue(new Outcome.Refused("the configuration of notify has no " + key));
  }

  @Test
  void whatAnotherReceiverTakesIsNotRefused() {
    Receiver unconfigured =
        new UnconfiguredReceiver(List.of(alertmanager(URI.create("http://127.0.0.1"))));

    assertThat(unconfigured.takes(TestAlert.CRITICAL)).isFalse();
    assertThat(unconfigured.takes(TestAlert.DISPATCH)).isTrue();
  }

  @ParameterizedTest
  @CsvSource({"'', $SYS/a", "'$', $SYS/a", "fleet/, fleet2/a"})
  void aTopicThatIsNotAllowedIsRefused(String prefix, String topic) {
    MqttAddress nowhere = new MqttAddress("127.0.0.1", 1, false);
    try (MqttReceiver receiver =
        new MqttReceiver(new MqttOptions(nowhere, null, null, prefix), Duration.ofSeconds(5))) {
      Action action = new Action(Action.Kind.MQTT, topic);
      assertThat(receiver.deliver(TestAlert.of("a").alert(), action))
          .isCompletedWithValue(
              new Outcome.Refused("a topic that mqtt.topic-prefix does not allow"));
    }
  }

  @Test
  void aBrokerThatIsAwayMayBeTriedAgain() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }
    MqttOptions options =
        new MqttOptions(new MqttAddress("127.0.0.1", port, false), null, null, "");
    Alert alert = TestAlert.of("a").alert();
    try (MqttReceiver receiver = new MqttReceiver(options, Duration.ofSeconds(5))) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThat(
                receiver
                    .deliver(alert, new Action(Action.Kind.MQTT, "fleet/a"))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join())
            .isInstanceOfSatisfying(
                Outcome.Failed.class,
                failed ->
                    assertThat(failed.reason())
                        .startsWith("the MQTT broker at mqtt://127.0.0.1:" + port + ": "));
      }
    }
  }

  @Test
  void aBrokerThatDoesNotAnswerFailsAfterTheTimeout() throws IOException {
    try (ServerSocket silent = new ServerSocket(0)) {
      MqttOptions options =
          new MqttOptions(
              new MqttAddress("127.0.0.1", silent.getLocalPort(), false), null, null, "");
      try (MqttReceiver receiver = new MqttReceiver(options, Duration.ofMillis(300))) {
        assertThat(
                receiver
                    .deliver(TestAlert.of("a").alert(), new Action(Action.Kind.MQTT, "fleet/a"))
                    .orTimeout(20, TimeUnit.SECONDS)
                    .join())
            .isInstanceOf(Outcome.Failed.class);
      }
    }
  }
}
