package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.SignatureEvidence;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.gateway.signature.VerifiedSignature;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signed messages, and forged ones. */
@Execution(ExecutionMode.CONCURRENT)
class MqttSignedTest extends SignedMqtt {
  private void assertRefused(String reason) {
    await().until(() -> connection.acknowledged().equals(List.of(1)));
    assertThat(sender.records()).isEmpty();
    await()
        .untilAsserted(
            () ->
                assertThat(
                        gateway.metric(
                            "lastfix_gateway_refused_total{problem=\"%s\",route=\"mqtt-records\"}"
                                .formatted(reason)))
                    .isEqualTo(1));
  }

  @Test
  void aSignedMessageIsStoredWithWhatProvesItsSender() throws Exception {
    connection.publish(
        1,
        topic(),
        BODY,
        sign("PUBLISH", topic(), BODY, Instant.now(), Map.of("content-encoding", "identity")));

    await().until(() -> connection.acknowledged().equals(List.of(1)));
    OutgoingRecord record = sender.records().get(0);
    assertThat(record.key()).isEqualTo(device.path("device").asText());
    assertThat(record.headers())
        .containsEntry("method", "PUBLISH")
        .containsEntry("path", "/" + topic())
        .containsKeys("signature", "signature-input", "content-digest");
    RequestHead proof = new SignatureEvidence(record.headers()).head();
    Instant received = Instant.ofEpochMilli(Long.parseLong(record.headers().get("received")));
    byte[] secret = Base64.getDecoder().decode(device.path("secret").asText());
    VerifiedSignature verified =
        new SignatureVerifier(SignaturePolicy.OF_DEVICES)
            .verifyHead(proof, keyid -> secret, received);
    verified.digest().require(record.value());
    assertThat(verified.keyid()).isEqualTo(device.path("keyid").asText());
  }

  @Test
  void aMessageWithoutASignatureIsRefused() throws Exception {
    connection.publish(1, topic(), BODY, Map.of());

    assertRefused("not-signed");
  }

  @Test
  void aSignatureFitsNoOtherContent() throws Exception {
    connection.publish(1, topic(), "{}".getBytes(UTF_8), sign(topic(), BODY, Instant.now()));

    assertRefused("wrong-digest");
  }

  @Test
  void aSignatureFitsNoOtherTopic() throws Exception {
    connection.publish(
        1, topic().replace("json", "geojson"), BODY, sign(topic(), BODY, Instant.now()));

    assertRefused("wrong-signature");
  }

  @Test
  void heartbeatsAndByesHaveToBeSignedByTheirDeviceToo() throws Exception {
    String own = "lastfix/v1/" + device.path("device").asText();
    String other = "lastfix/v1/99999999-89ab-4def-8123-456789abcdef";
    byte[] beat = "{\"seq\":1,\"interval\":60}".getBytes(UTF_8);
    int id = 0;
    for (String kind : List.of("heartbeat", "bye")) {
      connection.publish(++id, own + "/" + kind, beat, Map.of());
      String foreign = other + "/" + kind;
      connection.publish(++id, foreign, beat, sign(foreign, beat, Instant.now()));
    }
    connection.publish(5, own + "/heartbeat", beat, sign(own + "/heartbeat", beat, Instant.now()));
    byte[] nothing = new byte[0];
    connection.publish(6, own + "/bye", nothing, sign(own + "/bye", nothing, Instant.now()));

    await().until(() -> connection.acknowledged().equals(List.of(1, 2, 3, 4, 5, 6)));

    assertThat(sender.signs())
        .extracting(OutgoingRecord::key)
        .containsExactly(device.path("device").asText(), device.path("device").asText());
  }

  @Test
  void aDeviceCannotSignForTheTopicOfAnother() throws Exception {
    String other = register("99999999-89ab-4def-8123-456789abcdef").path("device").asText();
    String itsTopic = "lastfix/v1/" + other + "/records/json";

    connection.publish(1, itsTopic, BODY, sign(itsTopic, BODY, Instant.now()));

    assertRefused("other-device");
  }

  @Test
  void theSignatureOfARequestOverHttpIsNone() throws Exception {
    connection.publish(1, topic(), BODY, sign("POST", topic(), BODY, Instant.now(), Map.of()));

    assertRefused("wrong-signature");
  }

  @Test
  void anEncodingThatSomebodyAddsIsNotCovered() throws Exception {
    Map<String, String> properties = new LinkedHashMap<>(sign(topic(), BODY, Instant.now()));
    properties.put("content-encoding", "gzip");

    connection.publish(1, topic(), BODY, properties);

    assertRefused("missing-component");
  }

  @Test
  void aPropertyMayBeThereOnceOnly() throws Exception {
    Map<String, String> properties = new LinkedHashMap<>(sign(topic(), BODY, Instant.now()));
    properties.put("Signature", properties.get("signature"));

    connection.publish(1, topic(), BODY, properties);

    assertRefused("repeated-header");
  }

  @Test
  void aDisabledDeviceIsRefused() throws Exception {
    devices.apply(
        new DevicesMessage.OfState(
            DeviceId.parse(device.path("device").asText()), new DeviceState(1, true)));

    connection.publish(1, topic(), BODY, sign(topic(), BODY, Instant.now()));

    assertRefused("device-disabled");
  }

  @Test
  void aSignatureThatNobodyHereCanJudgeIsLeftToTheBroker() throws Exception {
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-b",
            new Group("fleet-b", List.of("k1"), List.of(EnrolmentToken.hash("b")), Instant.now())));
    ObjectNode ofB = device.deepCopy();
    ofB.put("keyid", device.path("keyid").asText().replace("fleet-a", "fleet-b"));
    device = ofB;

    connection.publish(1, topic(), BODY, sign(topic(), BODY, Instant.now()));

    await().until(connection::isEnded);
    await().until(() -> broker.connections().size() == 2);
    assertThat(connection.acknowledged()).isEmpty();
    assertThat(sender.records()).isEmpty();
    assertThat(gateway.metric("lastfix_gateway_mqtt_waits_for_key_total")).isEqualTo(1);
    assertThat(gateway.metric("lastfix_gateway_mqtt_not_stored_total")).isZero();
  }

  @Test
  void aSignatureThatNobodyCanJudgeForLongIsRefusedAndWhatComesBehindItGetsThrough()
      throws Exception {
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-b",
            new Group("fleet-b", List.of("k1"), List.of(EnrolmentToken.hash("b")), Instant.now())));
    Map<String, String> good = sign(topic(), BODY, Instant.now());
    String goodTopic = topic();
    ObjectNode ofB = device.deepCopy();
    ofB.put("keyid", device.path("keyid").asText().replace("fleet-a", "fleet-b"));
    device = ofB;
    Map<String, String> unknown = sign(topic(), BODY, Instant.now());
    broker.onConnect(
        next -> {
          next.publish(1, topic(), BODY, unknown);
          next.publish(2, goodTopic, BODY, good);
        });

    connection.cut();

    await()
        .until(
            () ->
                broker.connections().stream()
                    .anyMatch(next -> next.acknowledged().equals(List.of(1, 2))));
    assertThat(sender.records()).hasSize(1);
    assertThat(
            gateway.metric(
                "lastfix_gateway_refused_total{problem=\"group-key-absent\",route=\"mqtt-records\"}"))
        .isEqualTo(1);
  }

  @Test
  void aMessageThatTheBrokerHeldForDaysIsStored() throws Exception {
    connection.publish(
        1, topic(), BODY, sign(topic(), BODY, Instant.now().minus(Duration.ofDays(6))));

    await().until(() -> connection.acknowledged().equals(List.of(1)));
    assertThat(sender.records()).hasSize(1);
  }

  @ParameterizedTest
  @CsvSource({"-P8D, stale", "PT10M, ahead"})
  void aSignatureIsTooOldOrAheadBeyondTheLimits(Duration offset, String reason) throws Exception {
    connection.publish(1, topic(), BODY, sign(topic(), BODY, Instant.now().plus(offset)));

    assertRefused(reason);
  }
}
