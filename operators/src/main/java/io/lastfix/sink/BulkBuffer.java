package io.lastfix.sink;

import java.util.ArrayList;
import java.util.List;

/** The writes to one collection that wait for more to join them. */
final class BulkBuffer<T> {
  private final String collection;
  private final long sinceMillis;
  private final List<PendingWrite<T>> writes = new ArrayList<>();
  private long bytes;

  /**
   * @param sinceMillis when its first record came, in milliseconds on the writer's clock
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

  /** All of it, to be sent. Nothing may be added from then on. */
  Bulk<T> toBulk() {
    return new Bulk<>(collection, writes, sinceMillis);
  }
}
