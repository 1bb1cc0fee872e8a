package io.lastfix.store.query;

import java.util.Arrays;
import java.util.Comparator;
import org.bson.BsonBinary;

/**
 * The position of a record in the order of all History: by timestamp, then by {@code _id} as
 * MongoDB compares binary values (length, then bytes).
 *
 * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
 * @param id the document's {@code _id}
 */
record RecordPosition(long timestampMillis, BsonBinary id) implements Comparable<RecordPosition> {
  private static final Comparator<RecordPosition> ORDER =
      Comparator.comparingLong(RecordPosition::timestampMillis)
          .thenComparingInt(position -> position.id.getData().length)
          .thenComparing(position -> position.id.getData(), Arrays::compareUnsigned);

  @Override
  public int compareTo(RecordPosition other) {
    return ORDER.compare(this, other);
  }
}
