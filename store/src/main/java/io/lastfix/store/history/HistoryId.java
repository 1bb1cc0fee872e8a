package io.lastfix.store.history;

import io.lastfix.kit.digest.Sha256;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.Place;
import io.lastfix.model.PositionSource;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.bson.BsonBinary;

/**
 * The {@code _id} of a document of History. A record's identity is (user, ts, cell), for a record
 * with a position of its own also that position and its source; {@code _id} depends on these alone.
 * A replay therefore addresses its own document, in the same collection and on the same shard.
 *
 * <p>The first 8 bytes are ts (milliseconds since 1970, most significant byte first). The other 12
 * are the first bytes of the SHA-256 of the place's text, a blank and the user in UTF-8. The
 * place's text is the cell's, or nothing without a cell; with an own position follow {@code @}, the
 * source's {@link PositionSource#text()}, and the longitude and the latitude as the 16 hexadecimal
 * digits of their IEEE 754 bits, each after a comma. It has no blank, and a cell's text has no
 * {@code @}, so the input is unambiguous. Because the time comes first, inserts go to the right end
 * of the index, which stays in the cache however large the collection is. docs/decisions/store.md
 * says what this saves and why a hash of 96 bits is enough.
 */
public final class HistoryId {
  private static final int HASH_BYTES = 12;

  private HistoryId() {}

  /** Returns the id of a record. */
  public static BsonBinary of(String user, long timestampMillis, Place place) {
    CellId cell = place.cell();
    Fix fix = place.fix();
    byte[] hash =
        Sha256.of(
            (cell == null ? "" : cell.toString()) + (fix == null ? "" : text(fix)) + ' ' + user);
    return new BsonBinary(
        ByteBuffer.allocate(Long.BYTES + HASH_BYTES)
            .putLong(timestampMillis)
            .put(hash, 0, HASH_BYTES)
            .array());
  }

  private static String text(Fix fix) {
    return '@'
        + fix.source().text()
        + ','
        + bits(fix.position().lon())
        + ','
        + bits(fix.position().lat());
  }

  private static String bits(double degrees) {
    return HexFormat.of().toHexDigits(Double.doubleToLongBits(degrees));
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
