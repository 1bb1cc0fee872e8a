package io.lastfix.store.query;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.zip.CRC32;
import org.bson.BsonBinary;

/**
 * Where a reader stopped. As text it is Base64 for URLs of: one byte version (1); one byte order
 * (-1 newest first, 1 oldest first); 8 bytes each of from, to and the last record's time, in
 * milliseconds since 1970; the last record's {@code _id}; 4 bytes CRC-32 of all this and of whom it
 * is about, which itself is not in it. So a token is of no use to another question.
 *
 * @param order of the reading
 * @param range of the whole reading, from its first page on
 * @param last the record that was given out last
 */
record PageToken(TimeOrder order, TimeRange range, RecordPosition last) {
  private static final byte VERSION = 1;
  private static final int FIXED_BYTES = 2 + 3 * Long.BYTES + Integer.BYTES;

  /** Far more than an {@code _id} of History has. */
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
   * Reads a token back.
   *
   * @throws IllegalArgumentException if it is of another version, damaged, or not about that
   *     subject
   */
  static PageToken decode(String text, Subject subject) {
    byte[] bytes;
    try {
      bytes = Base64.getUrlDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw unusable();
    }
    if (bytes.length > 0 && bytes[0] != VERSION) {
      throw new IllegalArgumentException(
          "token: expected version %d, found %d: it is damaged, or of another Lastfix; start again without it"
              .formatted(VERSION, bytes[0]));
    }
    if (bytes.length <= FIXED_BYTES || bytes.length > MAX_BYTES) {
      throw unusable();
    }
    ByteBuffer fields = ByteBuffer.wrap(bytes, 1, bytes.length - 1);
    int direction = fields.get();
    Instant from = Instant.ofEpochMilli(fields.getLong());
    Instant to = Instant.ofEpochMilli(fields.getLong());
    long lastMillis = fields.getLong();
    byte[] id = new byte[bytes.length - FIXED_BYTES];
    fields.get(id);
    if (fields.getInt() != checksum(bytes, subject)) {
      throw unusable();
    }
    return new PageToken(
        direction == TimeOrder.NEWEST_FIRST.direction()
            ? TimeOrder.NEWEST_FIRST
            : TimeOrder.OLDEST_FIRST,
        new TimeRange(from, to),
        new RecordPosition(lastMillis, new BsonBinary(id)));
  }

  private static IllegalArgumentException unusable() {
    return new IllegalArgumentException(
        "token: it is damaged, or of another question: ask about the same user or cell, or start"
            + " again without it");
  }

  /** Of all but the last four bytes. */
  private static int checksum(byte[] bytes, Subject subject) {
    CRC32 checksum = new CRC32();
    checksum.update(bytes, 0, bytes.length - Integer.BYTES);
    checksum.update(subject.field().getBytes(UTF_8));
    checksum.update(0);
    checksum.update(subject.value().getBytes(UTF_8));
    return (int) checksum.getValue();
  }
}
