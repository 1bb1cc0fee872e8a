package io.lastfix.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.lastfix.kit.config.ConfigurationException;
import io.lastfix.kit.config.Settings;
import io.lastfix.kit.net.MqttAddress;
import io.lastfix.kit.poll.Backoff;
import io.lastfix.notify.config.AlertmanagerOptions;
import io.lastfix.notify.config.DeliveryOptions;
import io.lastfix.notify.config.HttpOptions;
import io.lastfix.notify.config.KafkaOptions;
import io.lastfix.notify.config.MqttOptions;
import io.lastfix.notify.config.WebhookOptions;
import io.lastfix.notify.config.WebhookSecret;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NotifyConfigTest {
  private static final String SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  private static final String OLD_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLjOZ";
  private static final Map<String, String> ENVIRONMENT =
      Map.of("SECRET", SECRET, "PASSWORD", "open sesame");

  private static NotifyConfig read(String... settings) {
    return NotifyConfig.from(Settings.load(null, List.of(settings), ENVIRONMENT::get));
  }

  private static List<String> problems(String... settings) {
    ConfigurationException failure =
        catchThrowableOfType(ConfigurationException.class, () -> read(settings));
    assertThat(failure).as(List.of(settings).toString()).isNotNull();
    assertThat(failure.getMessage()).doesNotContain("MfKQ9r8GKYqr", "open sesame");
    return failure.problems();
  }

  @Test
  void withoutSettingsThereIsNoReceiver() {
    NotifyConfig config = read();

    assertThat(config)
        .isEqualTo(
            new NotifyConfig(
                new HttpOptions("127.0.0.1", 8485),
                new DeliveryOptions(
                    1_000,
                    8,
                    Duration.ofSeconds(10),
                    Duration.ofDays(1),
                    new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10)),
                    Duration.ofSeconds(15)),
                Map.of(),
                null,
                null,
                new KafkaOptions(
                    "127.0.0.1:9092",
                    "lastfix.alerts",
                    "lastfix.alerts.undelivered",
                    "lastfix-notify",
                    true,
                    4,
                    (short) -1,
                    Duration.ofSeconds(60),
                    Map.of())));
    assertThat(config.kafka().group("webhook-dispatch"))
        .isEqualTo("lastfix-notify-webhook-dispatch");
  }

  @Test
  void receiversAreReadFromMaps_AndTheirSecretsFromFiles(@TempDir Path directory)
      throws IOException {
    Path old = Files.writeString(directory.resolve("old"), OLD_SECRET + "\n");
    Path ca = Files.writeString(directory.resolve("ca.pem"), "");
    Path file =
        Files.writeString(
            directory.resolve("notify.yaml"),
            """
            webhooks:
              dispatch:
                url: https://dispatch.example/alerts?token=7
                secret: ["${SECRET}", "${file:%s}"]
              depot-2: {url: "http://10.0.0.7:8080", secret: "${SECRET}", plain-http: true}
            mqtt:
              broker: mqtts://broker.example
              user: notify
              password: ${PASSWORD}
              topic-prefix: fleet/
              tls.ca: %s
            alertmanager: {url: "http://127.0.0.1:9093/am", resolve-after: 1 min}
            kafka.properties.security.protocol: SASL_SSL
            """
                .formatted(old, ca));

    NotifyConfig config = NotifyConfig.from(Settings.load(file, List.of(), ENVIRONMENT::get));

    assertThat(config.webhooks())
        .isEqualTo(
            Map.of(
                "dispatch",
                new WebhookOptions(
                    URI.create("https://dispatch.example/alerts?token=7"),
                    List.of(WebhookSecret.parse(SECRET), WebhookSecret.parse(OLD_SECRET))),
                "depot-2",
                new WebhookOptions(
                    URI.create("http://10.0.0.7:8080"), List.of(WebhookSecret.parse(SECRET)))));
    assertThat(config.mqtt())
        .isEqualTo(
            new MqttOptions(
                new MqttAddress("broker.example", 8883, true),
                new MqttOptions.Login("notify", "open sesame"),
                ca,
                "fleet/"));
    assertThat(config.alertmanager())
        .isEqualTo(
            new AlertmanagerOptions(URI.create("http://127.0.0.1:9093/am"), Duration.ofMinutes(1)));
    assertThat(config.kafka().clientProperties())
        .isEqualTo(Map.of("bootstrap.servers", "127.0.0.1:9092", "security.protocol", "SASL_SSL"));
  }

  @Test
  void noTextOfItHasASecret() {
    String text =
        read(
                "webhooks.a.url=https://a.example/open?sesame",
                "webhooks.a.secret=${SECRET}",
                "alertmanager.url=https://c.example/sesame",
                "kafka.properties.sasl.jaas.config=sesame",
                "mqtt.broker=mqtts://b.example",
                "mqtt.user=notify",
                "mqtt.password=${PASSWORD}")
            .toString();

    assertThat(text).contains("a.example", "notify").doesNotContain("MfKQ9r8GKYqr", "sesame");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "http.port=65536          | http.port: expected 0 to 65535, found '65536'",
        "delivery.windows=7       | delivery.windows: unknown key",
        "delivery.window=0        | delivery.window: expected 1 to 100000, found '0'",
        "delivery.timeout=1       | delivery.timeout: expected a duration such as 200 ms, 5 s or 1 min, found '1'",
        "delivery.timeout=6 min   | delivery.timeout: expected a duration from 100 ms to 5 min such as 200 ms, 5 s or 1 min, found '6 min'",
        "delivery.retry-for=31 d  | delivery.retry-for: expected a duration from 1 s to 30 d such as 200 ms, 5 s or 1 min, found '31 d'",
        "delivery.longest-pause=100 ms | delivery.longest-pause: expected at least delivery.first-pause, found '100 ms'",
        "mqtt.broker=tcp://a      | mqtt.broker: expected mqtt://HOST:PORT or mqtts://HOST:PORT, without a user (mqtt.user and mqtt.password), found 'tcp://a'",
        "mqtt.user=a              | mqtt.user: expected beside mqtt.password",
        "alertmanager.url=http://am.example:9093 | alertmanager.url: expected https://, because alerts would be sent without TLS; set alertmanager.plain-http: true if the network is private",
        "alertmanager.url=https://user:key@am.example | alertmanager.url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "alertmanager.url=https://am.example/?a=b | alertmanager.url: expected a URL without a query",
        "kafka.undelivered-topic=lastfix.alerts | kafka.undelivered-topic: expected another topic than kafka.alerts-topic, found 'lastfix.alerts'",
        "webhooks=a               | webhooks: unknown key",
        "webhooks.a=b             | webhooks.a: unknown key: a webhook has the keys url, secret and plain-http",
        "webhooks.a.uri=b         | webhooks.a.uri: unknown key: a webhook has the keys url, secret and plain-http"
      })
  void aWrongValueIsNamedWithItsKey(String setting, String problem) {
    assertThat(problems(setting)).containsExactly("--set: " + problem);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '^',
      value = {
        "ftp://a.example           | url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "https://user:key@a.example | url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "https:///path             | url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "https://a.example/#b      | url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "https://a.example:65536   | url: expected https://HOST/PATH or http://HOST/PATH, without a user and a fragment",
        "http://10.0.0.7           | url: expected https://, because alerts would be sent without TLS; set webhooks.a.plain-http: true if the network is private"
      })
  void aWrongUrlIsNamedWithItsKey_AndNotShown(String url, String problem) {
    assertThat(problems("webhooks.a.url=" + url, "webhooks.a.secret=${SECRET}"))
        .containsExactly("--set: webhooks.a." + problem);
  }

  @ParameterizedTest
  @CsvSource({"http://127.0.0.1:8080/a", "http://[::1]/a", "https://a.example"})
  void plainHttpLeadsToLoopback(String url) {
    assertThat(read("webhooks.a.url=" + url, "webhooks.a.secret=${SECRET}").webhooks())
        .containsOnlyKeys("a");
  }

  @Test
  void allProblemsOfWebhooksAreNamedAtOnce() {
    assertThat(
            problems(
                "webhooks.a.url=https://a.example",
                "webhooks.b.secret=" + SECRET,
                "webhooks.c.url=https://c.example",
                "webhooks.c.secret=whsec_MfKQ9r8GKYqrTw",
                "webhooks.d.url=https://d.example",
                "webhooks.d.secret=${NO_SUCH}",
                "webhooks.E.url=https://e.example",
                "webhooks.E.secret=" + SECRET + "," + SECRET + "," + SECRET,
                "kafka.properties.group.id=mine"))
        .containsExactlyInAnyOrder(
            "webhooks.a.secret: expected whsec_ and 24 to 64 bytes as base64, which signs the"
                + " requests: ${NAME} or ${file:/path}",
            "webhooks.b.url: expected beside webhooks.b.secret",
            "--set: webhooks.c.secret: expected whsec_ and 24 to 64 bytes as base64",
            "--set: webhooks.d.secret: environment variable NO_SUCH is not set",
            "--set: webhooks.E.url: a webhook's name: expected 1 to 64 of a-z, 0-9 and dashes",
            "--set: webhooks.E.secret: expected one secret, or two of which the receiver has either",
            "kafka.properties.group.id: decided by the server, remove it");
  }

  @Test
  void aPasswordNeedsTls() {
    assertThat(problems("mqtt.broker=mqtt://b.example", "mqtt.user=a", "mqtt.password=${PASSWORD}"))
        .containsExactly(
            "--set: mqtt.broker: expected mqtts://, because mqtt.password would be sent without"
                + " TLS; set mqtt.plain-password: true if the network is private");
    assertThat(
            read(
                    "mqtt.broker=mqtt://b.example",
                    "mqtt.user=a",
                    "mqtt.password=${PASSWORD}",
                    "mqtt.plain-password=true")
                .mqtt())
        .isNotNull();
  }
}
