package io.lastfix.rules.follow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DevicesCodec;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.RegisteredDevice;
import io.lastfix.kit.kafka.UnreadableMessageException;
import java.time.Instant;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;

/**
 * What gateways write of devices has the form that {@link DeviceGroups} reads. The rules do not use
 * the gateway, so they do not use its codec.
 */
class DeviceGroupsFormatTest {
  private static final UUID ID = UUID.fromString("01234567-89ab-4def-8123-456789abcdef");

  private final DeviceGroups groups = new DeviceGroups(device -> device);

  private void take(DevicesMessage message) throws UnreadableMessageException {
    groups.message(
        new ConsumerRecord<>(
            "lastfix.devices", 0, 0, message.key().getBytes(UTF_8), DevicesCodec.value(message)));
  }

  @Test
  void theGroupOfADeviceIsRead() throws UnreadableMessageException {
    DeviceId device = DeviceId.derive("vans", ID);
    RegisteredDevice registered =
        new RegisteredDevice("vans", ID, "phone", "0".repeat(64), Instant.EPOCH);

    take(new DevicesMessage.OfDevice(device, registered));
    assertThat(groups.of(device.toString())).isEqualTo("vans");

    take(new DevicesMessage.OfDevice(device, null));
    assertThat(groups.of(device.toString())).isNull();
  }
}
