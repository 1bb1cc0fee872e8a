package io.lastfix.audit;

import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The stretch of the records' own time that is judged.
 *
 * @param from its first moment; null: since ever
 * @param to the first moment after it; null: for ever
 */
public record AuditRange(@Nullable Instant from, @Nullable Instant to) {
  boolean contains(long timestampMillis) {
    return (from == null || timestampMillis >= from.toEpochMilli())
        && (to == null || timestampMillis < to.toEpochMilli());
  }

  boolean isAll() {
    return from == null && to == null;
  }

  /**
   * The documents of History in it, by their {@code _id}, which begins with the time: so that no
   * others are read. One whose {@code _id} is a record's of another time than its {@code ts} is
   * found by an audit of {@link #isAll all} time only.
   */
  BsonDocument filterOfIds() {
    if (isAll()) {
      return new BsonDocument();
    }
    // MongoDB compares bytes without a sign: the times before 1970 come after all others, and the
    // least of them right after the greatest of all.
    long first = from == null ? Long.MIN_VALUE : from.toEpochMilli();
    long end = to == null ? Long.MIN_VALUE : to.toEpochMilli();
    if (Long.compareUnsigned(first, end) < 0) {
      return new BsonDocument("_id", atLeast(first).append("$lt", leastId(end)));
    }
    return new BsonDocument(
        "$or",
        new BsonArray(
            List.of(
                new BsonDocument("_id", atLeast(first).append("$lt", HistoryLayout.END_OF_IDS)),
                new BsonDocument(
                    "_id",
                    new BsonDocument("$gte", HistoryLayout.FIRST_ID)
                        .append("$lt", leastId(end))))));
  }

  private static BsonDocument atLeast(long millis) {
    return new BsonDocument("$gte", leastId(millis));
  }

  private static BsonBinary leastId(long millis) {
    return new BsonBinary(ByteBuffer.allocate(HistoryLayout.ID_BYTES).putLong(millis).array());
  }
}
