package io.lastfix.sink;

import java.util.ArrayList;
import java.util.List;

/** Writes to one collection that are sent together, until each is acknowledged. */
final class Bulk<T> {
  private final String collection;
  private final List<PendingWrite<T>> writes;
  private final long sinceMillis;
  private int attempts;
  private long firstTriedMillis;

  /** Whether its collection was prepared for the next attempt. */
  private boolean isPrepared;

  /**
   * @param sinceMillis when the oldest of its records came, on the writer's clock
   */
  Bulk(String collection, List<PendingWrite<T>> writes, long sinceMillis) {
    this.collection = collection;
    this.writes = writes;
    this.sinceMillis = sinceMillis;
  }

  /** Those of its writes that must be sent again. */
  Bulk<T> only(List<PendingWrite<T>> failed) {
    Bulk<T> rest = new Bulk<>(collection, failed, sinceMillis);
    rest.attempts = attempts;
    rest.firstTriedMillis = firstTriedMillis;
    return rest;
  }

  /** Its collection is prepared, for one attempt: until then it may have been dropped again. */
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
   * Takes in another one, of the same collection, which was not sent yet; nor was this one.
   *
   * @return whether there was room
   */
  boolean takeIn(Bulk<T> younger, BulkOptions options) {
    if (attempts > 0
        || younger.attempts > 0
        || size() + younger.size() > options.maxRecordsPerBulk()
        || bytes() + younger.bytes() > options.maxBytesPerBulk()) {
      return false;
    }
    writes.addAll(younger.writes);
    return true;
  }

  private long bytes() {
    return writes.stream().mapToLong(PendingWrite::bytes).sum();
  }

  /** The records to write, in the order of {@link #writes()}. */
  List<T> records() {
    List<T> records = new ArrayList<>(writes.size());
    for (PendingWrite<T> write : writes) {
      records.add(write.record());
    }
    return records;
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

  /** How often it was sent. */
  int attempts() {
    return attempts;
  }

  /** When it was first sent, on the writer's clock. */
  long firstTriedMillis() {
    return firstTriedMillis;
  }

  /** Whether an earlier attempt may have stored some of it, although it failed. */
  boolean isRetry() {
    return attempts > 1;
  }
}
