package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.Nightly;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gateway and an MQTT broker beside the local stack, as a user starts and ends them. */
@Nightly
class MqttStackIT {
  private static final Duration LIMIT = Duration.ofMinutes(4);

  @TempDir private static Path directory;

  private final LastfixProcess lastfix = new LastfixProcess(directory.resolve("home"), directory);
  private final HttpClient client = HttpClient.newHttpClient();

  @AfterEach
  void takeDownWhatAFailureLeft() throws Exception {
    if (!lastfix.serversRunning().isEmpty()) {
      lastfix.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  void aDevicesMessageOfEachKindIsItsLastKnownLocation() throws Exception {
    lastfix.withPortsOfItsOwn().run(LIMIT, "up", "--mqtt").mustExitWith(2);
    JsonNode endpoints =
        lastfix
            .run(LIMIT, "up", "--gateway", "--mqtt", "--timeout", "120", "--json")
            .mustExitWith(0)
            .json()
            .path("endpoints");
    String gateway = endpoints.path("gateway").asText();
    URI broker = URI.create(endpoints.path("mqtt").asText());
    JsonNode status = lastfix.run(LIMIT, "status", "--json").mustExitWith(0).json();
    assertThat(status.toString()).contains("\"name\":\"mqtt\",\"endpoint\":\"" + broker + "\"");

    MqttPublisher.publish(
        broker.toString(),
        "owntracks/jane/phone",
        List.of(
            "{\"_type\":\"location\",\"tid\":\"ph\",\"lat\":37.5,\"lon\":-122.5,\"tst\":1795176001}"));
    MqttPublisher.publish(
        broker.toString(),
        "lastfix/v1/tracker/records/json",
        List.of(
            "{\"user\":\"tracker\",\"position\":{\"lon\":-122,\"lat\":37},\"ts\":1795176031001}"));
    assertThat(get(gateway + "/osmand?id=4711&timestamp=1795176001&lat=37.75&lon=-122.25"))
        .isEmpty();
    await("Kafka has acknowledged both messages")
        .atMost(LIMIT)
        .until(() -> count(gateway, "mqtt-owntracks") + count(gateway, "mqtt-records") == 2);
    lastfix
        .run(LIMIT, "submit", "location", "--set", "profiles.names=json,osmand,owntracks")
        .mustExitWith(0);
    lastfix.run(LIMIT, "drain", "--timeout", "120").mustExitWith(0);

    for (String user : new String[] {"owntracks/jane/phone", "tracker", "4711"}) {
      lastfix.run(LIMIT, "where", user, "--json").mustExitWith(0);
    }

    JsonNode without =
        lastfix.run(LIMIT, "up", "--no-mqtt", "--json").mustExitWith(0).json().path("endpoints");
    assertThat(without.path("gateway").asText()).isEqualTo(gateway);
    assertThat(without.has("mqtt")).isFalse();
    assertThat(get(gateway + "/ready")).doesNotContain("mqtt");
    lastfix.run(LIMIT, "up", "--mqtt").mustExitWith(0);
    assertThat(get(gateway + "/ready")).contains("\"mqtt\":\"ready\"");
    lastfix.run(LIMIT, "down").mustExitWith(0);
    assertThat(lastfix.serversRunning()).isEmpty();
  }

  private String get(String address) throws Exception {
    return client
        .send(
            HttpRequest.newBuilder(URI.create(address)).build(),
            HttpResponse.BodyHandlers.ofString())
        .body();
  }

  private long count(String gateway, String route) throws Exception {
    return get(gateway + "/metrics")
        .lines()
        .filter(line -> line.startsWith("lastfix_gateway_records_total"))
        .filter(line -> line.contains("route=\"" + route + "\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}
