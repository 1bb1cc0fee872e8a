package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.local.MqttServer;
import io.lastfix.local.ServerSite;
import org.junit.jupiter.api.Test;

/** The contract with HiveMQ CE, which the build brings. */
class HiveMqIT extends MqttBrokerContract {
  @Override
  MqttServer broker(ServerSite site) {
    return MqttServer.hiveMq(site);
  }

  /** What it allocates counts, so the lengths of the files do not say it. */
  @Test
  void theBrokersFilesTakeNoMoreThanTheyNeed() throws Exception {
    publish("lastfix/v1/350000000007919/records/json", records(0, 2000));
    awaitInKafka("json", 2000);

    Process du = new ProcessBuilder("du", "-sk", brokerData().toString()).start();
    String kilobytes = new String(du.getInputStream().readAllBytes(), UTF_8).split("\t", -1)[0];

    assertThat(Integer.parseInt(kilobytes)).isLessThan(250_000);
  }
}
