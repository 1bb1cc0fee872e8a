package io.lastfix.gateway.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DevicesSnapshotTest {
  private static final DeviceId DEVICE = new DeviceId(1, 2);
  private static final Instant THEN = Instant.parse("2026-11-20T12:00:00Z");
  private static final Group GROUP = new Group("fleet-a", List.of("k1"), List.of(), THEN);
  private static final String HASH = "a".repeat(64);
  private static final RegisteredDevice PHONE =
      new RegisteredDevice("fleet-a", new UUID(3, 4), "phone", HASH, THEN);

  private final DevicesSnapshot snapshot = new DevicesSnapshot();

  @Test
  void theNewestMessageOfEachKeyCounts() {
    add(new DevicesMessage.OfGroup("fleet-a", GROUP));
    add(new DevicesMessage.OfDevice(DEVICE, PHONE));
    add(new DevicesMessage.OfManifest(HASH, "{}", "fleet-a"));
    add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, false)));
    add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true)));

    assertThat(snapshot.device(DEVICE)).isEqualTo(PHONE);
    assertThat(snapshot.state(DEVICE)).isEqualTo(new DeviceState(2, true));
    assertThat(snapshot.manifest(DEVICE)).isEqualTo(new Manifest(HASH, "{}"));
    add(new DevicesMessage.OfState(DEVICE, null));
    assertThat(snapshot.state(DEVICE)).isEqualTo(DeviceState.INITIAL);
    add(new DevicesMessage.OfDevice(DEVICE, null));
    assertThat(snapshot.devices()).isEmpty();
    assertThat(snapshot.manifest(DEVICE)).isNull();
  }

  @Test
  void aGatewayKnowsTheSame() {
    add(new DevicesMessage.OfGroup("fleet-a", GROUP));
    add(new DevicesMessage.OfDevice(DEVICE, PHONE));
    add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true)));

    Devices devices = snapshot.toDevices();

    assertThat(devices.group("fleet-a")).contains(GROUP);
    assertThat(devices.state(DEVICE)).isEqualTo(new DeviceState(2, true));
  }

  @Test
  void whatIsUnknownIsRefusedWithWhatToDo() {
    add(new DevicesMessage.OfGroup("fleet-a", GROUP));

    assertThatThrownBy(() -> snapshot.group("fleet-b"))
        .hasMessage(
            "there is no group fleet-b: make it with lastfix group create, or choose one of [fleet-a]");
    assertThatThrownBy(() -> snapshot.device(DEVICE))
        .hasMessage(
            "there is no device %s: lastfix device list shows those that are registered"
                .formatted(DEVICE));
  }

  @Test
  void aMessageThatCannotBeReadIsNamedByItsPlace() {
    add("group/fleet-a".getBytes(StandardCharsets.UTF_8), new byte[] {1});

    assertThat(snapshot.unreadable())
        .containsExactly("partition 3, offset 7: the value is no JSON");
  }

  @Test
  void aDecisionThatCannotBeReadIsNoneToBuildOn() {
    add(new DevicesMessage.OfState(DEVICE, new DeviceState(2, true)));
    byte[] key = new DevicesMessage.OfState(DEVICE, null).key().getBytes(StandardCharsets.UTF_8);
    add(key, "{\"v\":2}".getBytes(StandardCharsets.UTF_8));

    assertThat(snapshot.isStateReadable(DEVICE)).isFalse();
    assertThat(snapshot.toDevices().state(DEVICE).disabled()).isTrue();
    add(new DevicesMessage.OfState(DEVICE, new DeviceState(3, false)));
    assertThat(snapshot.isStateReadable(DEVICE)).isTrue();
  }

  private void add(DevicesMessage message) {
    add(message.key().getBytes(StandardCharsets.UTF_8), DevicesCodec.value(message));
  }

  private void add(byte @Nullable [] key, byte @Nullable [] value) {
    snapshot.add(new ConsumerRecord<>("lastfix.devices", 3, 7, key, value));
  }
}
