package io.lastfix.sink;

import io.lastfix.sink.Bulk.PendingWrite;
import java.util.ArrayList;
import java.util.List;

/** Writes to one collection that wait until the bulk is full or due. */
final class BulkBuffer<T> {
  private final String collection;
  private final long sinceMillis;
  private final List<PendingWrite<T>> writes = new ArrayList<>();
  private long bytes;

  /**
   * @param sinceMillis arrival of its first record, in milliseconds on the writer's clock
   */
  BulkBuffer(String collection, long sinceMillis) {
    this.collection = collection;
    this.sinceMillis = sinceMillis;
  }

  void add(PendingWrite<T> write) {
    writes.add(write);
    bytes += write.bytes();
  }

  boolean isFull(BulkOptions options) {
    return writes.size() >= options.maxRecordsPerBulk() || bytes >= options.maxBytesPerBulk();
  }

  long sinceMillis() {
    return sinceMillis;
  }

  String collection() {
    return collection;
  }

  /** Returns a bulk of all writes. No write may be added afterwards. */
  Bulk<T> toBulk() {
    return new Bulk<>(collection, writes, sinceMillis);
  }
}
