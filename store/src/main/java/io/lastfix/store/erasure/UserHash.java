package io.lastfix.store.erasure;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.kit.digest.Sha256;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import org.bson.BsonBinary;

/**
 * The key of a user in the erasure list: the first 16 bytes of the SHA-256 of the user's stored
 * name in UTF-8.
 *
 * @param high the first 8 bytes, the most significant first
 * @param low the other 8 bytes
 */
public record UserHash(long high, long low) {
  private static final int BYTES = 2 * Long.BYTES;

  /**
   * Returns the hash of a user.
   *
   * @param storedAs name in both collections: the pseudonym if the job uses pseudonyms
   */
  public static UserHash of(String storedAs) {
    return of(Sha256.create(), storedAs);
  }

  /**
   * Returns the hash of a user, for a caller that needs many on one thread.
   *
   * @param sha256 of the caller, for each of its calls
   * @param storedAs name in both collections: the pseudonym if the job uses pseudonyms
   */
  public static UserHash of(MessageDigest sha256, String storedAs) {
    return ofBytes(sha256.digest(storedAs.getBytes(UTF_8)));
  }

  /** Reads the first 16 bytes of the array. */
  private static UserHash ofBytes(byte[] bytes) {
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new UserHash(buffer.getLong(), buffer.getLong());
  }

  /**
   * Parses the {@code _id} of a document in the list.
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

  /** Returns the {@code _id} in the list. */
  public BsonBinary toBson() {
    return new BsonBinary(ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array());
  }

  /** Returns 32 hexadecimal digits. */
  @Override
  public String toString() {
    return "%016x%016x".formatted(high, low);
  }
}
