package io.lastfix.sink;

import java.util.ArrayList;
import java.util.List;

/**
 * Writes to one collection that wait until there are enough or they are due, are sent together, and
 * are kept until each is acknowledged.
 */
final class Bulk<T> {
  private final String collection;
  private final List<PendingWrite<T>> writes = new ArrayList<>();
  private final long sinceMillis;
  private long bytes;
  private int attempts;
  private long firstTriedMillis;

  /** True if its collection was prepared for the next attempt. */
  private boolean isPrepared;

  /**
   * @param sinceMillis arrival of its oldest record, in milliseconds on the writer's clock
   */
  Bulk(String collection, long sinceMillis) {
    this.collection = collection;
    this.sinceMillis = sinceMillis;
  }

  /** Adds a write; not after the bulk was sent. */
  void add(PendingWrite<T> write) {
    writes.add(write);
    bytes += write.bytes();
  }

  boolean isFull(BulkOptions options) {
    return size() >= options.maxRecordsPerBulk() || bytes >= options.maxBytesPerBulk();
  }

  /** Returns a bulk of the writes that must be sent again. */
  Bulk<T> only(List<PendingWrite<T>> failed) {
    Bulk<T> rest = new Bulk<>(collection, sinceMillis);
    failed.forEach(rest::add);
    rest.attempts = attempts;
    rest.firstTriedMillis = firstTriedMillis;
    return rest;
  }

  /**
   * Marks its collection as prepared for one attempt: by the next one it may have been dropped
   * again.
   */
  void prepared() {
    isPrepared = true;
  }

  boolean isPrepared() {
    return isPrepared;
  }

  void sent(long nowMillis) {
    if (attempts == 0) {
      firstTriedMillis = nowMillis;
    }
    isPrepared = false;
    attempts++;
  }

  /**
   * Merges another bulk of the same collection; neither may have been sent yet.
   *
   * @return true if there was room
   */
  boolean takeIn(Bulk<T> younger, BulkOptions options) {
    if (attempts > 0
        || younger.attempts > 0
        || size() + younger.size() > options.maxRecordsPerBulk()
        || bytes + younger.bytes > options.maxBytesPerBulk()) {
      return false;
    }
    younger.writes.forEach(this::add);
    return true;
  }

  /** Returns the records to write, in the order of {@link #writes()}. */
  List<T> records() {
    return writes.stream().map(PendingWrite::record).toList();
  }

  String collection() {
    return collection;
  }

  List<PendingWrite<T>> writes() {
    return writes;
  }

  int size() {
    return writes.size();
  }

  long sinceMillis() {
    return sinceMillis;
  }

  /** Returns how often it was sent. */
  int attempts() {
    return attempts;
  }

  /** Returns when it was first sent, on the writer's clock. */
  long firstTriedMillis() {
    return firstTriedMillis;
  }

  /** Returns true if a failed earlier attempt may have stored a part of it. */
  boolean isRetry() {
    return attempts > 1;
  }

  /**
   * A write that waits for its acknowledgement. It represents one record, or several coalesced
   * ones.
   */
  static final class PendingWrite<T> {
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
}
