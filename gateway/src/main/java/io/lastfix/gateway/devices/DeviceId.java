package io.lastfix.gateway.devices;

import io.lastfix.kit.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.UUID;
import java.util.regex.Pattern;

/**
 * The id of a device: 128 bits, written as 32 hexadecimal digits in lower case. It is derived from
 * the group and the device's UUID, so a device that registers again is the same device, and a UUID
 * in another group is another one.
 *
 * @param high the first 64 bits
 * @param low the last 64 bits
 */
public record DeviceId(long high, long low) implements Comparable<DeviceId> {
  private static final int DIGITS = 32;
  private static final Pattern FORM = Pattern.compile("[0-9a-f]{32}");

  /** The device of a UUID in a group. */
  public static DeviceId derive(String group, UUID uuid) {
    ByteBuffer hash = ByteBuffer.wrap(Sha256.of("lastfix/1|device|" + group + "|" + uuid));
    return new DeviceId(hash.getLong(), hash.getLong());
  }

  /**
   * Parses the written form.
   *
   * @throws IllegalArgumentException if it is another
   */
  public static DeviceId parse(String text) {
    if (!FORM.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "device: expected 32 hexadecimal digits in lower case, as the registration returned");
    }
    return new DeviceId(
        HexFormat.fromHexDigitsToLong(text, 0, DIGITS / 2),
        HexFormat.fromHexDigitsToLong(text, DIGITS / 2, DIGITS));
  }

  @Override
  public int compareTo(DeviceId other) {
    int order = Long.compareUnsigned(high, other.high);
    return order != 0 ? order : Long.compareUnsigned(low, other.low);
  }

  @Override
  public String toString() {
    return HexFormat.of().toHexDigits(high) + HexFormat.of().toHexDigits(low);
  }
}
