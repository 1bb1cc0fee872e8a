package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.SignatureProof;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** What signatures leave in memory, counted in the whole JVM: no other test may run beside it. */
@Isolated
class SignatureMemoryTest extends SignedMqtt {
  private static final String NODE = "java.util.concurrent.ConcurrentHashMap$Node";
  private static final int COUNT = 1_000;

  /** Other threads of the JVM have maps, too. */
  private static final int OTHERS = COUNT / 10;

  /** Below mqtt.receive-maximum: a broker may not have more on their way. */
  private static final int AT_ONCE = 500;

  private int published;

  /** The device's signature, under a key and for a device that nobody has issued. */
  private Map<String, String> invented(int number) throws Exception {
    Map<String, String> headers = new HashMap<>(sign(topic(), BODY, Instant.now()));
    headers.computeIfPresent(
        "signature-input",
        (name, value) ->
            value.replaceAll(
                "keyid=\"[^\"]*\"",
                "keyid=\"k%d.fleet-%s.%032x.1\""
                    .formatted(number + 2, number % 2 == 0 ? "a" : number, number)));
    return headers;
  }

  private void publishInvented() throws Exception {
    for (int i = 1; i <= COUNT; i++) {
      connection.publish(++published, topic(), BODY, invented(published));
      if (i % AT_ONCE == 0) {
        await().until(() -> connection.acknowledged().size() == published);
      }
    }
  }

  @Test
  void messagesWithInventedKeysLeaveNothingInTheGateway() throws Exception {
    publishInvented();
    long before = MqttMemoryTest.instances(NODE);
    publishInvented();

    assertThat(MqttMemoryTest.instances(NODE) - before).isLessThan(OTHERS);
    assertThat(sender.records()).isEmpty();
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"unknown-key\",route=\"mqtt-records\"}"))
        .isEqualTo(published);
  }

  @Test
  void recordsWithInventedKeysLeaveNothingInTheAudit() throws Exception {
    DevicesSnapshot snapshot = new DevicesSnapshot();
    snapshot.add(new DevicesMessage.OfGroup("fleet-a", devices.group("fleet-a").orElseThrow()));
    SignatureProof proof = new SignatureProof(snapshot, keys);
    judgeInvented(proof);
    long before = MqttMemoryTest.instances(NODE);
    judgeInvented(proof);

    assertThat(MqttMemoryTest.instances(NODE) - before).isLessThan(OTHERS);
  }

  private void judgeInvented(SignatureProof proof) throws Exception {
    for (int i = 0; i < COUNT; i++) {
      Map<String, String> headers = invented(++published);
      headers.put("received", Long.toString(Instant.now().toEpochMilli()));
      headers.put("method", "PUBLISH");
      headers.put("path", "/" + topic());
      assertThat(proof.judge("json", "device".getBytes(UTF_8), BODY, headers).reason())
          .isEqualTo("no-such-key");
    }
  }
}
