package io.lastfix.model.located;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The header of a message in the topic of located records that says when the record came: the
 * timestamp of its message in the location topic. A record's age at that time tells a device whose
 * clock is slow from records that were read late.
 *
 * <p>8 bytes, big-endian: milliseconds since 1970-01-01T00:00:00Z, 0 or more.
 */
public final class Arrival {
  /** Name of the header. */
  public static final String HEADER = "arrived";

  /** The time if there is no header. */
  public static final long UNKNOWN = Long.MIN_VALUE;

  private Arrival() {}

  /** Returns the header's value. */
  public static byte[] write(long millis) {
    return ByteBuffer.allocate(Long.BYTES).putLong(millis).array();
  }

  /**
   * Returns the time in epoch milliseconds; {@link #UNKNOWN} if there is no header, or if it is not
   * one that Lastfix writes: anyone may write to a topic.
   */
  public static long read(byte @Nullable [] header) {
    if (header == null || header.length != Long.BYTES) {
      return UNKNOWN;
    }
    long millis = ByteBuffer.wrap(header).getLong();
    return millis < 0 ? UNKNOWN : millis;
  }
}
