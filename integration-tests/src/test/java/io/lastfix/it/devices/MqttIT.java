package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerSite;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The contract with Mosquitto, where it is installed. */
class MqttIT extends MqttBrokerContract {
  @Override
  MqttServer broker(ServerSite site) {
    Optional<Path> mosquitto = MqttServer.findMosquitto(System.getenv());
    assumeTrue(mosquitto.isPresent(), "needs mosquitto");
    return MqttServer.mosquitto(site, mosquitto.orElseThrow());
  }

  private static boolean hasPublisher() throws InterruptedException {
    try {
      new ProcessBuilder("mosquitto_pub", "--help")
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /** Each command in a block "shell" of docs/devices/mqtt.md. */
  @Test
  void theCommandsOfThePagePublish() throws Exception {
    assumeTrue(hasPublisher(), "needs mosquitto_pub");
    URI address = URI.create(brokerEndpoint());
    List<String> commands =
        Pattern.compile("(?s)```shell\\n(.*?)```")
            .matcher(Files.readString(Path.of("..", "docs", "devices", "mqtt.md")))
            .results()
            .map(match -> match.group(1))
            .toList();
    assertThat(commands).hasSize(2);
    for (String command : commands) {
      ProcessBuilder shell = new ProcessBuilder("sh", "-c", command).redirectErrorStream(true);
      shell.environment().put("MQTT_HOST", address.getHost());
      shell.environment().put("MQTT_PORT", Integer.toString(address.getPort()));
      Process process = shell.start();
      String said = new String(process.getInputStream().readAllBytes(), UTF_8);
      assertThat(process.waitFor()).as(said).isZero();
    }

    assertThat(awaitInKafka("json", 1)).hasSize(1);
    assertThat(awaitInKafka("owntracks", 1))
        .allMatch(body -> body.contains("\"topic\":\"owntracks/jane/phone\""));
  }
}
