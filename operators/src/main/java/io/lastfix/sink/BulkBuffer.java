package io.lastfix.sink;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The writes to one collection that wait for more to join them. */
final class BulkBuffer<T> {
  private final String collection;
  private final long sinceMillis;
  private final RecordBatching<T> batching;
  private final List<PendingWrite<T>> writes = new ArrayList<>();
  private final Map<Object, PendingWrite<T>> writesByKey = new HashMap<>();
  private long bytes;

  /**
   * @param sinceMillis when its first record came, in milliseconds on the writer's clock
   */
  BulkBuffer(String collection, long sinceMillis, RecordBatching<T> batching) {
    this.collection = collection;
    this.sinceMillis = sinceMillis;
    this.batching = batching;
  }

  /** Takes a record in; false if it was coalesced with one that waits already. */
  boolean add(T record, int recordBytes, long timestampMillis) {
    Object key = batching.coalescingKey(record);
    PendingWrite<T> waiting = key == null ? null : writesByKey.get(key);
    if (waiting != null) {
      waiting.coalesce(record, timestampMillis, batching);
      return false;
    }
    PendingWrite<T> write = new PendingWrite<>(record, recordBytes, timestampMillis);
    writes.add(write);
    bytes += recordBytes;
    if (key != null) {
      writesByKey.put(key, write);
    }
    return true;
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
