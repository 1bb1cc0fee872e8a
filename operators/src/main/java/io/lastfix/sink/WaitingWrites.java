package io.lastfix.sink;

import java.util.HashMap;
import java.util.Map;

/**
 * The writes that were not sent yet, in a buffer or in a full bulk: a further record with the same
 * key may still join them. So the slower the server is, the more records one write stands for.
 */
final class WaitingWrites<T> {
  private final RecordBatching<T> batching;

  /** Only of collections whose records have keys. */
  private final Map<String, Map<Object, PendingWrite<T>>> byCollection = new HashMap<>();

  WaitingWrites(RecordBatching<T> batching) {
    this.batching = batching;
  }

  /** Has a record join a write that waits; false if there is none for it. */
  boolean coalesce(String collection, T record, long timestampMillis) {
    Object key = batching.coalescingKey(record);
    Map<Object, PendingWrite<T>> writes = key == null ? null : byCollection.get(collection);
    PendingWrite<T> waiting = writes == null ? null : writes.get(key);
    if (waiting == null) {
      return false;
    }
    waiting.coalesce(record, timestampMillis, batching);
    return true;
  }

  /** A write that others may join from now on. */
  void add(String collection, PendingWrite<T> write) {
    Object key = batching.coalescingKey(write.record());
    if (key != null) {
      byCollection.computeIfAbsent(collection, any -> new HashMap<>()).put(key, write);
    }
  }

  /** What is sent stays as it is, also while it waits to be sent again. */
  void sent(Bulk<T> bulk) {
    Map<Object, PendingWrite<T>> writes = byCollection.get(bulk.collection());
    if (writes == null) {
      return;
    }
    for (PendingWrite<T> write : bulk.writes()) {
      Object key = batching.coalescingKey(write.record());
      if (key != null) {
        // Of a bulk that is sent again, the key may stand for a later write by now.
        writes.remove(key, write);
      }
    }
    if (writes.isEmpty()) {
      byCollection.remove(bulk.collection());
    }
  }
}
