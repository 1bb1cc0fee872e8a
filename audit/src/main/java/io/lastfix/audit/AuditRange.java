package io.lastfix.audit;

import io.lastfix.audit.stored.HistoryLayout;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonBinary;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;

/**
 * The range of the records' own time to judge.
 *
 * @param from its first instant; null: unbounded
 * @param to the first instant after it; null: unbounded
 */
public record AuditRange(@Nullable Instant from, @Nullable Instant to) {
  /** Returns whether that instant is in the range. */
  public boolean contains(long timestampMillis) {
    return (from == null || timestampMillis >= from.toEpochMilli())
        && (to == null || timestampMillis < to.toEpochMilli());
  }

  boolean isAll() {
    return from == null && to == null;
  }

  /**
   * A filter for the documents of History in the range by {@code _id}, which begins with the time,
   * so that no others are read. Only an audit of {@link #isAll all} time finds a document whose
   * {@code _id} is that of another time than its {@code ts}.
   */
  BsonDocument filterOfIds() {
    if (isAll()) {
      return new BsonDocument();
    }
    // MongoDB compares bytes as unsigned numbers. Times before 1970 therefore follow all others,
    // the earliest of them first.
    long first = from == null ? Long.MIN_VALUE : from.toEpochMilli();
    long end = to == null ? Long.MIN_VALUE : to.toEpochMilli();
    if (Long.compareUnsigned(first, end) < 0) {
      return between(leastId(first), leastId(end));
    }
    return new BsonDocument(
        "$or",
        new BsonArray(
            List.of(
                between(leastId(first), HistoryLayout.END_OF_IDS),
                between(HistoryLayout.FIRST_ID, leastId(end)))));
  }

  private static BsonDocument between(BsonBinary first, BsonBinary end) {
    return new BsonDocument("_id", new BsonDocument("$gte", first).append("$lt", end));
  }

  private static BsonBinary leastId(long millis) {
    return new BsonBinary(ByteBuffer.allocate(HistoryLayout.ID_BYTES).putLong(millis).array());
  }
}
