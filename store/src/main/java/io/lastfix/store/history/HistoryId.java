package io.lastfix.store.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.store.digest.Sha256;
import java.nio.ByteBuffer;
import org.bson.BsonBinary;

/**
 * The {@code _id} of a document of History. A record's identity is (user, ts, cell), and {@code
 * _id} depends on these alone. A replay therefore addresses its own document, in the same
 * collection and on the same shard.
 *
 * <p>The first 8 bytes are ts (milliseconds since 1970, most significant byte first). The other 12
 * are the first bytes of the SHA-256 of the cell's text, a blank and the user in UTF-8. A cell's
 * text has no blank, so the input is unambiguous. Because the time comes first, inserts go to the
 * right end of the index, which stays in the cache however large the collection is.
 * store/RATIONALE.md compares this with five other layouts and explains why a hash of 96 bits is
 * enough.
 */
public final class HistoryId {
  private static final int HASH_BYTES = 12;

  private HistoryId() {}

  static BsonBinary of(String user, long timestampMillis, String cell) {
    byte[] hash = Sha256.create().digest((cell + ' ' + user).getBytes(UTF_8));
    return new BsonBinary(
        ByteBuffer.allocate(Long.BYTES + HASH_BYTES)
            .putLong(timestampMillis)
            .put(hash, 0, HASH_BYTES)
            .array());
  }

  /**
   * Returns the lowest possible id at that timestamp, in MongoDB's order (length, then bytes).
   * Within one period, the ids of all earlier records are lower.
   */
  public static BsonBinary lowestAt(long timestampMillis) {
    return new BsonBinary(
        ByteBuffer.allocate(Long.BYTES + HASH_BYTES).putLong(timestampMillis).array());
  }
}
