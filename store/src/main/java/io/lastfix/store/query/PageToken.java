package io.lastfix.store.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.store.query.SightingSource.Subject;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.zip.CRC32;
import org.bson.BsonBinary;

/**
 * The position at which a reader stopped. As text it is Base64 for URLs of these fields:
 *
 * <ul>
 *   <li>one byte: version (1)
 *   <li>one byte: order (-1 newest first, 1 oldest first)
 *   <li>8 bytes each: from, to and the last record's timestamp, in milliseconds since 1970
 *   <li>the last record's {@code _id}
 *   <li>4 bytes: CRC-32 of all this and of the subject, which the token does not contain
 * </ul>
 *
 * <p>The checksum makes a token invalid for another query.
 *
 * @param order order of the query
 * @param range range of the whole query, from its first page on
 * @param last the last record returned
 */
record PageToken(TimeOrder order, TimeRange range, RecordPosition last) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 2 + 3 * Long.BYTES + Integer.BYTES;

  /** Far more than the length of an {@code _id} of History. */
  private static final int MAX_BYTES = 256;

  String encode(Subject subject) {
    byte[] id = last.id().getData();
    ByteBuffer bytes =
        ByteBuffer.allocate(FIXED_BYTES + id.length)
            .put(VERSION)
            .put((byte) order.direction())
            .putLong(range.from().toEpochMilli())
            .putLong(range.to().toEpochMilli())
            .putLong(last.timestampMillis())
            .put(id);
    bytes.putInt(checksum(bytes.array(), subject));
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes.array());
  }

  /**
   * Parses a token.
   *
   * @throws IllegalArgumentException if it is unreadable, has another version, or is of another
   *     subject
   */
  static PageToken decode(String text, Subject subject) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw unreadable();
    }
    if (bytes.length <= FIXED_BYTES || bytes.length > MAX_BYTES || bytes[0] != VERSION) {
      throw unreadable();
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int direction = fields.get();
    Instant from = Instant.ofEpochMilli(fields.getLong());
    Instant to = Instant.ofEpochMilli(fields.getLong());
    long lastMillis = fields.getLong();
    byte[] id = new byte[bytes.length - FIXED_BYTES];
    fields.get(id);
    if (fields.getInt() != checksum(bytes, subject)) {
      throw new IllegalArgumentException(
          "token: it is damaged, or from another query: repeat the query of the same user, of the"
              + " same cell or of all devices, or start again without it");
    }
    return new PageToken(
        direction == TimeOrder.NEWEST_FIRST.direction()
            ? TimeOrder.NEWEST_FIRST
            : TimeOrder.OLDEST_FIRST,
        new TimeRange(from, to),
        new RecordPosition(lastMillis, new BsonBinary(id)));
  }

  /** Without the version: in a damaged token it may be any number. */
  private static IllegalArgumentException unreadable() {
    return new IllegalArgumentException(
        "token: it is unreadable, because it is damaged or from another release: start again"
            + " without it");
  }

  /** Returns the CRC-32 of all bytes but the last four, and of the subject. */
  private static int checksum(byte[] bytes, Subject subject) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes, 0, bytes.length - Integer.BYTES);
    checksum.update(subject.field().getBytes(UTF_8));
    checksum.update(0);
    checksum.update(subject.value().getBytes(UTF_8));
    return (int) checksum.getValue();
  }
}
