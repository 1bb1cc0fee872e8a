package io.lastfix.gateway.devices;

import io.lastfix.kit.digest.Sha256;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a device said when it registered.
 *
 * @param group its group
 * @param uuid what the id is derived from
 * @param deviceClass the kind of device, such as {@code phone}
 * @param manifest hash of its manifest; null if it sent none
 * @param registered when it registered so for the first time
 */
public record RegisteredDevice(
    String group, UUID uuid, String deviceClass, @Nullable String manifest, Instant registered) {
  /** Checks the names. */
  public RegisteredDevice {
    Names.requireGroup(group);
    Names.requireClass(deviceClass);
    if (manifest != null) {
      Names.requireHash(manifest);
    }
  }

  /** 64 bits that differ if class or manifest do: what a gateway keeps instead of them. */
  long details() {
    return ByteBuffer.wrap(Sha256.of(deviceClass + "|" + manifest)).getLong();
  }
}
