package io.lastfix.sink;

/**
 * A write that waits for its acknowledgement. It represents one record, or several coalesced ones.
 */
final class PendingWrite<T> {
  /** The {@link #oldestTimestampMillis()} of records without a timestamp. */
  static final long NO_TIMESTAMP = Long.MAX_VALUE;

  private final int bytes;
  private T record;
  private int records = 1;
  private long oldestTimestampMillis;

  PendingWrite(T record, int bytes, long timestampMillis) {
    this.record = record;
    this.bytes = bytes;
    this.oldestTimestampMillis = timestampMillis;
  }

  /** Adds a record that this write also represents. */
  void coalesce(T other, long timestampMillis, RecordBatching<T> batching) {
    if (batching.supersedes(other, record)) {
      record = other;
    }
    records++;
    oldestTimestampMillis = Math.min(oldestTimestampMillis, timestampMillis);
  }

  T record() {
    return record;
  }

  /** Returns the bytes that it counts for in the limits. */
  int bytes() {
    return bytes;
  }

  /** Returns the number of records that the write represents. */
  int records() {
    return records;
  }

  /** Returns the earliest timestamp of those records, for the end-to-end latency. */
  long oldestTimestampMillis() {
    return oldestTimestampMillis;
  }
}
