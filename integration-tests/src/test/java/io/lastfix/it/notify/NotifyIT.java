package io.lastfix.it.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.it.harness.WebhookServer;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.TopicReader;
import io.lastfix.local.AlertmanagerServer;
import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerSite;
import io.lastfix.model.alert.Action;
import io.lastfix.model.alert.Alert;
import io.lastfix.rules.alert.AlertCodec;
import io.lastfix.store.alerts.TestAlerts;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** The server of alerts as a process, with a real Kafka and real receivers. */
class NotifyIT {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Action DISPATCH = new Action(Action.Kind.WEBHOOK, "dispatch");
  private static final Action HANGING = new Action(Action.Kind.WEBHOOK, "hanging");

  @TempDir private Path directory;

  private String name;
  private WebhookServer webhook;
  private Producer<byte[], byte[]> producer;
  private NotifyProcess notify;
  private String alertmanager;

  @BeforeEach
  void start(TestInfo test) throws IOException {
    name = LocationRun.nameFor(test.getTestMethod().orElseThrow().getName());
    webhook = new WebhookServer();
    producer = new KafkaProducer<>(clients(), new ByteArraySerializer(), new ByteArraySerializer());
  }

  @AfterEach
  void stop() {
    if (notify != null) {
      notify.close();
    }
    producer.close();
    webhook.close();
  }

  private static Properties clients() {
    Properties properties = new Properties();
    properties.put("bootstrap.servers", TestStack.shared().kafka());
    return properties;
  }

  private void startNotify(String... more) throws IOException {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "kafka.bootstrap-servers=" + TestStack.shared().kafka(),
                "kafka.alerts-topic=" + name + ".alerts",
                "kafka.undelivered-topic=" + name + ".undelivered",
                "kafka.group=" + name,
                "delivery.first-pause=100 ms",
                "delivery.longest-pause=500 ms",
                "webhooks.dispatch.url=" + webhook.url(),
                "webhooks.dispatch.secret=" + WebhookServer.SECRET));
    settings.addAll(List.of(more));
    notify = new NotifyProcess(directory, settings);
  }

  private static Alert alert(String user, Instant at, Action... then) {
    Alert alert = TestAlerts.of(user, "left-airport", at);
    return new Alert(
        alert.user(),
        alert.atMillis(),
        alert.rule(),
        alert.version(),
        alert.kind(),
        alert.confirmedMillis(),
        alert.fence(),
        alert.cause(),
        alert.position(),
        alert.cell(),
        alert.source(),
        alert.accuracyMeters(),
        alert.certainty(),
        alert.counted(),
        List.of(then));
  }

  private void send(Alert alert) throws Exception {
    producer
        .send(
            new ProducerRecord<>(name + ".alerts", AlertCodec.key(alert), AlertCodec.value(alert)))
        .get(30, TimeUnit.SECONDS);
  }

  private Set<String> receivedIds() {
    return webhook.received().stream()
        .map(WebhookServer.Received::id)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void anAlertReachesItsWebhookWithinTwoSeconds() throws Exception {
    startNotify();
    for (int i = 0; i < 20; i++) {
      Instant sent = Instant.now();
      send(alert("user-" + i, TestAlerts.AT, DISPATCH));
      int count = i + 1;
      await().atMost(LIMIT).until(() -> webhook.received().size() >= count);
      if (i > 0) {
        assertThat(Duration.between(sent, webhook.received().get(i).at()))
            .isLessThan(Duration.ofSeconds(2));
      }
    }
    // The receiver has the last one before the server has its answer.
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(notify.get("/metrics").body())
                    .contains(
                        "lastfix_notify_delivered_total{receiver=\"webhook-dispatch\"} 20.0"));
    assertThat(notify.stop()).isZero();
  }

  private static int freePort() throws IOException {
    try (ServerSocket free = new ServerSocket(0)) {
      return free.getLocalPort();
    }
  }

  @Test
  void theReceiverInThePageTakesAnAlert() throws Exception {
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/python3")), "needs python3");
    String page = Files.readString(Installation.root().resolve("docs/operate/notify.md"));
    String begin = "```python\n";
    int from = page.indexOf(begin) + begin.length();
    String port = Integer.toString(freePort());
    Path program =
        Files.writeString(
            directory.resolve("receiver.py"),
            page.substring(from, page.indexOf("```", from)).replace("8486", port));
    Path secret = Files.writeString(directory.resolve("secret"), WebhookServer.SECRET + "\n");
    Path printed = directory.resolve("printed");
    Process receiver =
        new ProcessBuilder("/usr/bin/python3", program.toString(), secret.toString())
            .redirectErrorStream(true)
            .redirectOutput(printed.toFile())
            .start();
    try {
      startNotify(
          "webhooks.page.url=http://127.0.0.1:" + port,
          "webhooks.page.secret=" + WebhookServer.SECRET);
      Alert alert = alert("anna", TestAlerts.AT, new Action(Action.Kind.WEBHOOK, "page"));
      send(alert);
      await()
          .atMost(LIMIT)
          .until(() -> Files.readString(printed).contains(AlertCodec.json(alert).toString()));
    } finally {
      receiver.destroyForcibly();
    }
  }

  @Test
  void overKillsEachAlertIsDelivered_AndAfterAStopNoneTwice() throws Exception {
    startNotify();
    Set<String> sent = new TreeSet<>();
    for (int round = 0; round < 3; round++) {
      for (int i = 0; i < 200; i++) {
        Alert alert =
            alert("user-" + i % 17, TestAlerts.AT.plusSeconds(200L * round + i), DISPATCH);
        sent.add(AlertCodec.id(alert));
        send(alert);
      }
      notify.killAndRestart();
    }
    await().atMost(LIMIT).until(() -> receivedIds().equals(sent));

    assertThat(notify.stop()).isZero();
    int before = webhook.received().size();
    startNotify();
    send(alert("last", TestAlerts.AT, DISPATCH));
    await().atMost(LIMIT).until(() -> webhook.received().size() > before);
    assertThat(webhook.received()).hasSize(before + 1);
  }

  @Test
  void aReceiverThatHangsHoldsUpNoOther() throws Exception {
    try (WebhookServer hanging = new WebhookServer()) {
      hanging.hang();
      startNotify(
          "webhooks.hanging.url=" + hanging.url(),
          "webhooks.hanging.secret=" + WebhookServer.SECRET);
      for (int i = 0; i < 100; i++) {
        send(alert("user-" + i, TestAlerts.AT, HANGING, DISPATCH));
      }

      await().atMost(Duration.ofSeconds(20)).until(() -> webhook.received().size() == 100);
      assertThat(hanging.received()).isEmpty();
      await()
          .atMost(LIMIT)
          .until(() -> notify.get("/ready").body().contains("no answer within 10000 ms"));
    }
  }

  @Test
  void whatIsGivenUpIsInTheTopicOfUndeliveredAlerts() throws Exception {
    webhook.answer(500);
    startNotify("delivery.retry-for=2 s");
    send(alert("anna", TestAlerts.AT, DISPATCH));
    send(alert("ben", TestAlerts.AT, new Action(Action.Kind.WEBHOOK, "nowhere")));

    await().atMost(LIMIT).until(() -> undelivered().size() == 2);
    assertThat(undelivered())
        .extracting(it -> it.at("/alert/user").asText() + ": " + it.path("reason").asText())
        .containsExactlyInAnyOrder(
            "anna: the answer was 500",
            "ben: the configuration of notify has no webhooks.nowhere.url");
  }

  private List<JsonNode> undelivered() throws IOException {
    List<JsonNode> found = new ArrayList<>();
    try (Admin admin = Admin.create(clients())) {
      new TopicReader(NotifyIT::clients)
          .<IOException>read(
              new ConsumerLag(admin).ranges(List.of(name + ".undelivered")),
              message -> found.add(new ObjectMapper().readTree(message.value())));
    }
    return found;
  }

  @Test
  void anAlertIsPublishedToMosquitto() throws Exception {
    Optional<Path> mosquitto = MqttServer.findMosquitto(System.getenv());
    assumeTrue(mosquitto.isPresent(), "needs mosquitto");
    assumeTrue(Files.isExecutable(Path.of("/usr/bin/mosquitto_sub")), "needs mosquitto_sub");
    try (MqttServer broker =
        MqttServer.mosquitto(
            ServerSite.fresh(directory.resolve("servers")), mosquitto.orElseThrow())) {
      broker.start();
      broker.awaitReady(LIMIT);
      URI address = URI.create(broker.endpoint());
      Path printed = directory.resolve("printed");
      Process subscriber =
          new ProcessBuilder(
                  "mosquitto_sub",
                  "-h",
                  address.getHost(),
                  "-p",
                  Integer.toString(address.getPort()),
                  "-q",
                  "1",
                  "-t",
                  "fleet/#")
              .redirectOutput(printed.toFile())
              .start();
      try {
        startNotify("mqtt.broker=" + broker.endpoint());
        Alert alert = alert("anna", TestAlerts.AT, new Action(Action.Kind.MQTT, "fleet/alerts"));
        send(alert);
        await()
            .atMost(LIMIT)
            .until(() -> Files.readString(printed).contains(AlertCodec.json(alert).toString()));
      } finally {
        subscriber.destroyForcibly();
      }
    }
  }

  /** Starts an Alertmanager whose file has these settings. */
  private Process startAlertmanager(String settings) throws IOException {
    Optional<Path> program = AlertmanagerServer.find(System.getenv());
    assumeTrue(program.isPresent(), "needs Alertmanager");
    int port = freePort();
    alertmanager = "http://127.0.0.1:" + port;
    return new ProcessBuilder(
            program.orElseThrow().toString(),
            "--config.file=" + Files.writeString(directory.resolve("alertmanager.yml"), settings),
            "--storage.path=" + directory.resolve("alertmanager"),
            "--web.listen-address=127.0.0.1:" + port,
            "--cluster.listen-address=")
        .redirectErrorStream(true)
        .redirectOutput(directory.resolve("alertmanager.log").toFile())
        .start();
  }

  private void startNotifyAndSendCritical() throws Exception {
    startNotify("alertmanager.url=" + alertmanager);
    send(alert("anna", TestAlerts.AT, new Action(Action.Kind.ALERTMANAGER, "critical"), DISPATCH));
  }

  @Test
  void anAlertIsActiveInAlertmanager() throws Exception {
    Process started = startAlertmanager("{route: {receiver: none}, receivers: [{name: none}]}");
    try {
      startNotifyAndSendCritical();

      HttpClient client = HttpClient.newHttpClient();
      HttpRequest active =
          HttpRequest.newBuilder(URI.create(alertmanager + "/api/v2/alerts?active=true")).build();
      await()
          .atMost(LIMIT)
          .ignoreExceptions()
          .untilAsserted(
              () -> {
                JsonNode listed =
                    new ObjectMapper()
                        .readTree(client.send(active, BodyHandlers.ofString()).body());
                assertThat(listed).hasSize(1);
                Map<String, String> labels =
                    Map.of("alertname", "left-airport", "user", "anna", "route", "critical");
                labels.forEach(
                    (label, value) ->
                        assertThat(listed.at("/0/labels/" + label).asText()).isEqualTo(value));
              });
    } finally {
      started.destroyForcibly();
    }
  }

  /** As docs/operate/notify.md says. */
  @Test
  void aMailOfTheRouteComesThroughAlertmanager() throws Exception {
    try (MailServer mail = new MailServer()) {
      Process started =
          startAlertmanager(
              """
              route:
                receiver: none
                routes:
                  - {matchers: ['route="critical"'], receiver: mail, group_wait: 1s}
              receivers:
                - name: none
                - name: mail
                  email_configs:
                    - to: operator@example.com
                      from: lastfix@example.com
                      smarthost: %s
                      hello: localhost
                      require_tls: false
              """
                  .formatted(mail.address()));
      try {
        startNotifyAndSendCritical();
        send(alert("ben", TestAlerts.AT, new Action(Action.Kind.ALERTMANAGER, "low")));

        await("a mail").atMost(LIMIT).until(() -> !mail.mails().isEmpty());
        assertThat(mail.mails())
            .singleElement()
            .asString()
            .contains("To: operator@example.com", "left-airport", "anna")
            .doesNotContain("ben");
      } finally {
        started.destroyForcibly();
      }
    }
  }
}
