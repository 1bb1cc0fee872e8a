package io.lastfix.operate.devices;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.gateway.devices.RegisteredDevice;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A device as it is printed. */
public record DeviceEntry(
    String device,
    String group,
    UUID uuid,
    @JsonProperty("class") String deviceClass,
    @Nullable String manifest,
    int generation,
    boolean disabled,
    Instant registered) {
  /** Returns the entry of a device that the snapshot has. */
  public static DeviceEntry of(DevicesSnapshot snapshot, DeviceId id) {
    RegisteredDevice device = snapshot.device(id);
    DeviceState state = snapshot.state(id);
    return new DeviceEntry(
        id.toString(),
        device.group(),
        device.uuid(),
        device.deviceClass(),
        device.manifest(),
        state.generation(),
        state.disabled(),
        device.registered());
  }
}
