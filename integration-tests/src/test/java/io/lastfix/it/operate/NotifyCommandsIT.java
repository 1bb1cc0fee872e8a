package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.cluster.StackHome;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.Nightly;
import io.lastfix.it.harness.WebhookServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Notify and the rules job beside the local stack, as a user starts and ends them. */
@Nightly
class NotifyCommandsIT {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir private static Path directory;

  private final StackHome home = new StackHome(directory.resolve("home"));
  private final LastfixProcess lastfix = new LastfixProcess(home.root(), directory);

  @AfterEach
  void takeDownWhatAFailureLeft() throws Exception {
    if (!lastfix.serversRunning().isEmpty()) {
      lastfix.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  void anAlertReachesItsWebhook_AndOneThatWasGivenUpIsSentAgain() throws Exception {
    try (WebhookServer webhook = new WebhookServer()) {
      LastfixProcess withPorts = lastfix.withPortsOfItsOwn();
      webhook.receiveFrom(home, "dispatch");
      JsonNode endpoints =
          withPorts
              .run(LIMIT, "up", "--rules", "--timeout", "120", "--json")
              .mustExitWith(0)
              .json()
              .path("endpoints");
      assertThat(endpoints.path("notify").asText()).startsWith("http://127.0.0.1:");
      submitLocation();
      putRule();

      awaitAlert(endpoints.path("kafka").asText(), webhook);
      assertThat(webhook.received())
          .extracting(WebhookServer.Received::user)
          .containsExactly("tracker");
      await("status has both")
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .until(
              () -> lastfix.run(LIMIT, "status").out(),
              it ->
                  it.contains("alerts to webhook-dispatch: 1 delivered, 0 waiting, 0 undelivered")
                      && it.contains(
                          "alerts to unconfigured: 0 delivered, 0 waiting, 1 undelivered; the"
                              + " configuration of notify has no webhooks.nowhere.url"));

      Result listed =
          lastfix.run(LIMIT, "alerts", "redeliver", "--dry-run", "--json").mustExitWith(0);
      assertThat(listed.json().path("alerts").asInt()).isEqualTo(1);
      assertThat(listed.err()).contains("tracker, rule seen, webhook-nowhere: the configuration");
      lastfix.run(LIMIT, "alerts", "redeliver", "--receiver", "mqtt").mustExitWith(3);

      webhook.receiveFrom(home, "dispatch", "nowhere");
      lastfix.run(LIMIT, "up", "--no-rules").mustExitWith(0);
      lastfix.run(LIMIT, "up", "--rules").mustExitWith(0);
      lastfix.run(LIMIT, "alerts", "redeliver", "--receiver", "webhook-nowhere").mustExitWith(0);
      await("it is sent again").atMost(LIMIT).until(() -> webhook.received().size() == 2);
      assertThat(webhook.received())
          .extracting(WebhookServer.Received::id)
          .containsOnly(webhook.received().get(0).id());

      lastfix.run(LIMIT, "down").mustExitWith(0);
      assertThat(lastfix.serversRunning()).isEmpty();
    }
  }

  private void submitLocation() throws Exception {
    lastfix
        .run(
            LIMIT,
            "submit",
            "location",
            "--set",
            "located.topic=lastfix.located",
            "--set",
            "profiles.names=json",
            "--set",
            "checkpoint.interval=1 s")
        .mustExitWith(0);
  }

  /** Until the job applies it. */
  private void putRule() throws Exception {
    Path rule =
        Files.writeString(
            directory.resolve("seen.yaml"),
            """
            id: seen
            when: {expr: 'user == "tracker"'}
            then: [{webhook: dispatch}, {webhook: nowhere}]
            """);
    await("the job applies the rule")
        .atMost(LIMIT)
        .pollInterval(Duration.ofSeconds(1))
        .until(
            () -> lastfix.run(LIMIT, "rule", "put", rule.toString()).out(),
            it -> it.contains("; the job 'rules' applies it"));
  }

  /** The job's source may begin behind a first record. */
  private static void awaitAlert(String kafka, WebhookServer webhook) {
    try (Producer<byte[], byte[]> producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", kafka),
            new ByteArraySerializer(),
            new ByteArraySerializer())) {
      await("the webhook has an alert")
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(1))
          .until(
              () -> {
                String record =
                    "{\"user\":\"tracker\",\"position\":{\"lon\":-122,\"lat\":37},\"ts\":%d}"
                        .formatted(System.currentTimeMillis());
                producer
                    .send(new ProducerRecord<>("lastfix.location.json", record.getBytes(UTF_8)))
                    .get();
                return !webhook.received().isEmpty();
              });
    }
  }
}
