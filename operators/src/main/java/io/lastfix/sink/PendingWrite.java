package io.lastfix.sink;

/**
 * A write that waits for its acknowledgement. It stands for one record, or for several that were
 * coalesced.
 */
final class PendingWrite<T> {
  /** The {@link #oldestTimestampMillis()} of records that came without a timestamp. */
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

  /** One more record that this write stands for. */
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

  /** What it counts for against the bounds. */
  int bytes() {
    return bytes;
  }

  /** How many records the write stands for. */
  int records() {
    return records;
  }

  /** The earliest timestamp of those records, for the end-to-end latency. */
  long oldestTimestampMillis() {
    return oldestTimestampMillis;
  }
}
