package io.lastfix.store.erasure;

import java.nio.ByteBuffer;
import org.bson.BsonBinary;

/**
 * What stands for a user in the list of the forgotten: the first 16 bytes of the SHA-256 of the
 * name that the user is stored under, in UTF-8.
 *
 * @param high the first 8 bytes, the most significant first
 * @param low the other 8
 */
public record UserHash(long high, long low) {
  private static final int BYTES = 2 * Long.BYTES;

  /** Reads the first 16 of these bytes. */
  static UserHash ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UserHash(buffer.getLong(), buffer.getLong());
  }

  /**
   * As the list has it.
   *
   * @throws IllegalArgumentException if it has another length
   */
  static UserHash of(BsonBinary id) {
    if (id.getData().length != BYTES) {
      throw new IllegalArgumentException(
          "expected a hash of %d bytes, found %d".formatted(BYTES, id.getData().length));
    }
    return ofBytes(id.getData());
  }

  /** As the list has it. */
  public BsonBinary toBson() {
    return new BsonBinary(ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array());
  }

  /** As 32 hexadecimal digits. */
  @Override
  public String toString() {
    return "%016x%016x".formatted(high, low);
  }
}
