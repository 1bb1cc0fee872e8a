package io.lastfix.gateway.devices;

import io.lastfix.gateway.signature.HmacSha256;
import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;

/**
 * The {@code keyid} of a signature: {@code <group key>.<group>.<device>.<generation>}, such as
 * {@code k1.fleet-a.00112233445566778899aabbccddeeff.1}. It names all that the secret is derived
 * from, so verifying looks nothing up.
 *
 * @param groupKey name of the group's key: k and a number
 * @param group name of the group
 * @param device the device
 * @param generation of the device's secret, 1 or more
 */
public record KeyId(String groupKey, String group, DeviceId device, int generation) {
  private static final int MAX_LENGTH = 128;
  private static final int PARTS = 4;
  private static final Pattern GENERATION = Pattern.compile("[1-9][0-9]{0,7}");

  /** Checks each part. */
  public KeyId {
    Names.requireKey(groupKey);
    Names.requireGroup(group);
    DeviceState.requireGeneration(generation);
  }

  /**
   * Parses the written form; there is exactly one for each value.
   *
   * @throws IllegalArgumentException if it is another
   */
  public static KeyId parse(String text) {
    String[] parts = text.length() > MAX_LENGTH ? new String[0] : text.split("\\.", -1);
    if (parts.length != PARTS || !GENERATION.matcher(parts[3]).matches()) {
      throw new IllegalArgumentException(
          "keyid: expected <group key>.<group>.<device>.<generation>, as the registration returned");
    }
    return new KeyId(parts[0], parts[1], DeviceId.parse(parts[2]), Integer.parseInt(parts[3]));
  }

  /**
   * Returns the device's secret, which is derived and never stored: HMAC-SHA256(group key,
   * "lastfix/1|" device "|" generation). The device's form is fixed, so no two pairs give one text.
   */
  byte[] secret(byte[] key) {
    String text = "lastfix/1|" + device + "|" + generation;
    return HmacSha256.of(key, text.getBytes(StandardCharsets.US_ASCII));
  }

  @Override
  public String toString() {
    return groupKey + "." + group + "." + device + "." + generation;
  }
}
