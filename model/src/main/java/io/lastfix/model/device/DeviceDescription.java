package io.lastfix.model.device;

import org.jspecify.annotations.Nullable;

/**
 * What a device last said about itself in signs of life; null where it did not say.
 *
 * @param deviceClass the kind of device, such as {@code phone}
 * @param sdk the client and its version
 * @param manifest SHA-256 of its manifest, in hexadecimal digits
 */
public record DeviceDescription(
    @Nullable String deviceClass, @Nullable String sdk, @Nullable String manifest) {
  /** A device that said nothing. */
  public static final DeviceDescription NONE = new DeviceDescription(null, null, null);

  /** Returns this, overridden by what the sign says. */
  public DeviceDescription with(HeartbeatMessage.Sign sign) {
    String newSdk = sign.sdk() == null ? sdk : sign.sdk();
    if (!(sign instanceof HeartbeatMessage.Heartbeat heartbeat)) {
      return new DeviceDescription(deviceClass, newSdk, manifest);
    }
    return new DeviceDescription(
        heartbeat.deviceClass() == null ? deviceClass : heartbeat.deviceClass(),
        newSdk,
        heartbeat.manifest() == null ? manifest : heartbeat.manifest());
  }
}
