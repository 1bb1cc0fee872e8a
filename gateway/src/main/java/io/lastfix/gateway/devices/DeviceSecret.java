package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.HmacSha256;
import java.nio.charset.StandardCharsets;

/** The secrets of devices, which are derived and never stored. */
public final class DeviceSecret {
  private DeviceSecret() {}

  /**
   * HMAC-SHA256(group key, "lastfix/1|" device "|" generation). The device's form is fixed, so no
   * two pairs give one text.
   */
  public static byte[] derive(byte[] groupKey, DeviceId device, int generation) {
    String text = "lastfix/1|" + device + "|" + generation;
    return HmacSha256.of(groupKey, text.getBytes(StandardCharsets.US_ASCII));
  }
}
