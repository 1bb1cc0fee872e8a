package io.lastfix.gateway;

import static io.lastfix.gateway.FakeBroker.await;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesCodec;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.KeyId;
import io.lastfix.gateway.devices.Mutations;
import io.lastfix.gateway.devices.RegisteredDevice;
import io.lastfix.gateway.devices.SignatureProof;
import io.lastfix.gateway.devices.SignatureProof.Kind;
import io.lastfix.gateway.devices.SignatureProof.Verdict;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.SenderHeaders;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What the gateway has stored of a signed message proves later who sent it. */
@Execution(ExecutionMode.CONCURRENT)
class MqttProofTest extends SignedMqtt {
  private static final String CONTENT_TYPE = "application/json";
  private static final List<String> PROVING =
      List.of(
          "device",
          "method",
          "path",
          "signature-input",
          "signature",
          "content-digest",
          "content-type",
          "content-encoding");

  private final DevicesSnapshot snapshot = new DevicesSnapshot();
  private final Map<String, String> headers = new HashMap<>();
  private SignatureProof proof;
  private byte[] key;
  private byte[] value;

  @BeforeEach
  void receive() throws Exception {
    snapshot.add(new DevicesMessage.OfGroup("fleet-a", devices.group("fleet-a").orElseThrow()));
    DeviceId id = DeviceId.parse(device.path("device").asText());
    snapshot.add(
        new DevicesMessage.OfDevice(
            id, new RegisteredDevice("fleet-a", UUID.randomUUID(), "phone", null, Instant.now())));
    proof = new SignatureProof(snapshot, keys);
    store(1, Instant.now());
  }

  /** Has a gateway store a message, and keeps what it has stored. */
  private void store(int id, Instant signed) throws Exception {
    Map<String, String> properties =
        sign(
            "PUBLISH",
            topic(),
            BODY,
            signed,
            Map.of("content-encoding", "identity", "content-type", CONTENT_TYPE));
    properties.remove("content-type");
    connection.publish(id, topic(), CONTENT_TYPE, BODY, properties);
    await().until(() -> connection.acknowledged().contains(id));
    OutgoingRecord record = sender.records().get(id - 1);
    headers.clear();
    headers.putAll(record.headers());
    key = String.valueOf(record.key()).getBytes(UTF_8);
    value = record.value();
  }

  private Verdict judge() {
    return proof.judge("json", key, value, headers);
  }

  private void assertForged(String reason) {
    assertThat(judge().kind()).isEqualTo(Kind.FORGED);
    assertThat(judge().reason()).isEqualTo(reason);
  }

  @Test
  void aStoredMessageIsProved() {
    assertThat(judge())
        .isEqualTo(new Verdict(Kind.PROVED, "", KeyId.parse(device.path("keyid").asText()), USERS));
    assertThat(headers).containsEntry("content-type", CONTENT_TYPE).doesNotContainKey("query");
  }

  @Test
  void theJobHearsWhoSentItAndForWhomTheDeviceSpeaks() {
    assertThat(headers)
        .containsEntry(SenderHeaders.AUTH, SenderHeaders.SIGNED)
        .containsEntry(SenderHeaders.DEVICE, device.path("device").asText())
        .containsEntry(SenderHeaders.SPEAKS_FOR, USERS.toString());
    assertThat(SenderHeaders.ALL).containsAll(headers.keySet());
  }

  @Test
  void everyMutationOfOneHeaderThatProvesSomethingIsFound() {
    Random random = new Random(17);
    for (String name : PROVING) {
      String whole = headers.get(name);
      for (int at = 0; at <= whole.length(); at++) {
        for (String mutated : Mutations.at(at, whole, random)) {
          // Blanks around a header's value mean nothing.
          if (!mutated.strip().equals(whole)) {
            assertFound(name, mutated);
          }
        }
      }
      assertFound(name, null);
      headers.put(name, whole);
      assertThat(judge().kind()).isEqualTo(Kind.PROVED);
    }
    // An empty one means the same as none (RFC 9421, 2.2.7).
    assertFound("query", "a=b");
  }

  private void assertFound(String name, @Nullable String mutated) {
    headers.compute(name, (header, before) -> mutated);
    assertThat(judge().kind()).as("%s: %s", name, mutated).isEqualTo(Kind.FORGED);
  }

  @Test
  void everyChangedBitOfTheValueIsFound() {
    for (int bit = 0; bit < value.length * Byte.SIZE; bit++) {
      value[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
      assertForged("wrong-digest");
      value[bit / Byte.SIZE] ^= (byte) (1 << (bit % Byte.SIZE));
    }
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  @Test
  void aMessageMovedToAnotherTopicOrKeyIsFound() {
    assertThat(proof.judge("owntracks", key, value, headers).reason()).isEqualTo("other-profile");
    assertThat(proof.judge("json", null, value, headers).reason())
        .isEqualTo("other-key-of-the-message");
    assertThat(proof.judge("json", new byte[] {'x'}, value, headers).reason())
        .isEqualTo("other-key-of-the-message");
  }

  /** The device has signed these messages, but no gateway stores them under this profile. */
  @Test
  void aMessageThatTheDeviceSignedForAnotherTopicOfMqttIsFound() throws Exception {
    String id = device.path("device").asText();
    for (String topic :
        List.of(
            "lastfix/v1/" + id + "/heartbeat",
            "lastfix/v1/" + id + "/records/js%6Fn",
            "lastfix/v1/00112233445566778899aabbccddeeff/records/json",
            "owntracks/records/json",
            "v1/records/json")) {
      headers.keySet().removeAll(List.of("content-type", "content-encoding"));
      headers.putAll(sign(topic, BODY, Instant.now()));
      headers.put("path", "/" + topic);

      assertForged("other-profile");
    }
  }

  @Test
  void aMessageThatTheBrokerHeldForDaysIsProved() throws Exception {
    store(2, Instant.now().minus(Duration.ofDays(6)));

    assertThat(judge().kind()).isEqualTo(Kind.PROVED);
  }

  @Test
  void aRevokedDeviceProvesWhatTheGatewayReceivedBeforeAndNothingLater() {
    DeviceId id = DeviceId.parse(device.path("device").asText());
    decide(id, Instant.now());
    assertThat(judge().kind()).isEqualTo(Kind.PROVED);

    decide(id, Instant.now().minus(Duration.ofMinutes(10)));
    assertForged("device-disabled");
  }

  private void decide(DeviceId id, Instant at) {
    DevicesMessage message = new DevicesMessage.OfState(id, DeviceState.INITIAL.withDisabled(true));
    snapshot.add(
        new ConsumerRecord<>(
            "lastfix.devices",
            0,
            0,
            at.toEpochMilli(),
            TimestampType.CREATE_TIME,
            -1,
            -1,
            message.key().getBytes(UTF_8),
            DevicesCodec.value(message),
            new RecordHeaders(),
            Optional.empty()));
  }
}
