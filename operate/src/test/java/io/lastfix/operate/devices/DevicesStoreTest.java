package io.lastfix.operate.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.RegisteredDevice;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.devices.RegistrationRequest;
import io.lastfix.gateway.kafka.KafkaSender;
import io.lastfix.kit.digest.Sha256;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DevicesStoreTest {
  private static final String TOPIC = "lastfix.devices";
  private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
  private static final UUID KNOWN = UUID.fromString("01234567-89ab-4def-8123-456789abcdef");
  private static final UUID NEW = UUID.fromString("99999999-89ab-4def-8123-456789abcdef");
  private static final DeviceId DEVICE = DeviceId.derive("fleet-a", KNOWN);
  private static final String MANIFEST = Sha256.hex("{}");

  private final DevicesSnapshot snapshot = new DevicesSnapshot();
  private final List<MockProducer<byte[], byte[]>> producers = new ArrayList<>();
  private final DevicesStore store = new DevicesStore(TOPIC, snapshot, this::writer);
  private @Nullable RuntimeException failure;

  private DevicesTopicWriter writer() {
    MockProducer<byte[], byte[]> producer =
        new MockProducer<>(true, new ByteArraySerializer(), new ByteArraySerializer());
    producer.sendException = failure;
    producers.add(producer);
    return new DevicesTopicWriter(
        TOPIC, new KafkaSender(producer, Duration.ofSeconds(20), System::nanoTime));
  }

  private List<String> writtenKeys() {
    return producers.stream()
        .flatMap(producer -> producer.history().stream())
        .map(message -> new String(message.key(), UTF_8))
        .toList();
  }

  @BeforeEach
  void aDeviceWithAManifestIsRegistered() {
    snapshot.add(
        new DevicesMessage.OfGroup("fleet-a", new Group("fleet-a", List.of("k1"), List.of(), NOW)));
    snapshot.add(new DevicesMessage.OfManifest(MANIFEST, "{}", "fleet-a"));
    snapshot.add(
        new DevicesMessage.OfDevice(
            DEVICE, new RegisteredDevice("fleet-a", KNOWN, "phone", MANIFEST, NOW)));
  }

  @Test
  void aDecisionIsWrittenOnceAndKnown() throws IOException {
    for (int i = 0; i < 2; i++) {
      assertThat(store.decide(DEVICE, before -> before.withDisabled(true)))
          .isEqualTo(new DeviceState(1, true));
    }

    assertThat(writtenKeys()).containsExactly("state/" + DEVICE);
    assertThat(snapshot.state(DEVICE)).isEqualTo(new DeviceState(1, true));
  }

  @Test
  void aDecisionThatCannotBeReadIsNotUndone() {
    snapshot.add(
        new ConsumerRecord<>(
            TOPIC, 0, 7, ("state/" + DEVICE).getBytes(UTF_8), "{\"v\":2}".getBytes(UTF_8)));

    assertThatThrownBy(() -> store.decide(DEVICE, before -> before.withDisabled(false)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("use the lastfix of the release that wrote it");
    assertThat(writtenKeys()).isEmpty();
  }

  @Test
  void anUnknownDeviceIsNotDecidedAbout() {
    assertThatThrownBy(() -> store.decide(DeviceId.derive("fleet-a", NEW), DeviceState::rotated))
        .isInstanceOf(NoSuchElementException.class)
        .hasMessageContaining("lastfix device list");
  }

  @Test
  void aGroupIsWrittenInPlaceOfTheOneBefore() throws IOException {
    Group changed = store.put(snapshot.group("fleet-a").withNextKey(NOW));

    assertThat(writtenKeys()).containsExactly("group/fleet-a");
    assertThat(snapshot.group("fleet-a")).isEqualTo(changed);
  }

  @Test
  void aRefusalOfKafkaChangesNothing_AndWithoutAnAnswerTheCommandThatListsTheMessageIsNamed() {
    Group before = snapshot.group("fleet-a");
    failure = new TopicAuthorizationException("denied");
    assertThatThrownBy(() -> store.put(before.withNextKey(NOW)))
        .isNotInstanceOf(UnknownOutcomeException.class)
        .hasMessageStartingWith("nothing was changed, because Kafka did not take the message");
    assertThat(snapshot.group("fleet-a")).isEqualTo(before);

    failure = new TimeoutException("slow");
    assertThatThrownBy(() -> store.put(before.withNextKey(NOW)))
        .isInstanceOf(UnknownOutcomeException.class)
        .hasMessageEndingWith("lastfix group list shows which");
    assertThatThrownBy(() -> store.decide(DEVICE, DeviceState::rotated))
        .isInstanceOf(UnknownOutcomeException.class)
        .hasMessageEndingWith("lastfix device list shows which");
  }

  @Test
  void aNewDeviceIsWrittenAndOneThatIsRegisteredKeepsItsManifest() throws IOException {
    GroupKeys keys =
        new GroupKeys(
            null,
            Map.of(
                "LASTFIX_GROUP_KEY_FLEET_A_K1",
                Base64.getEncoder()
                    .encodeToString("the first key of the group fleet-a".getBytes(UTF_8))),
            InstantSource.fixed(NOW));

    assertThat(store.enrol("fleet-a", new RegistrationRequest(NEW, "phone", null), keys))
        .isInstanceOf(RegistrationAnswer.Registered.class);
    assertThat(store.enrol("fleet-a", new RegistrationRequest(KNOWN, "phone", null), keys))
        .isInstanceOf(RegistrationAnswer.Registered.class);
    assertThat(writtenKeys())
        .containsExactly("device/" + DeviceId.derive("fleet-a", NEW), "manifest/" + MANIFEST);
  }

  @Test
  void aGroupWithoutAKeyHereIsRefused() throws IOException {
    GroupKeys none = new GroupKeys(null, Map.of(), InstantSource.fixed(NOW));

    assertThat(store.enrol("fleet-a", new RegistrationRequest(NEW, "phone", null), none))
        .isInstanceOfSatisfying(
            RegistrationAnswer.Refused.class,
            refused ->
                assertThat(refused.reason()).isEqualTo(RegistrationAnswer.Reason.UNAVAILABLE));
  }
}
