package io.lastfix.sink;

import io.lastfix.sink.Bulk.PendingWrite;
import java.util.HashMap;
import java.util.Map;

/**
 * The unsent writes, in a buffer or in a full bulk: another record with the same key may still join
 * them. The slower the server is, the more records one write represents.
 */
final class WaitingWrites<T> {
  private final RecordBatching<T> batching;

  /** Contains only collections whose records have keys. */
  private final Map<String, Map<Object, PendingWrite<T>>> byCollection = new HashMap<>();

  WaitingWrites(RecordBatching<T> batching) {
    this.batching = batching;
  }

  /** Adds a record to a waiting write; returns false if there is none with its key. */
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

  /** Adds a write that other records may join from now on. */
  void add(String collection, PendingWrite<T> write) {
    Object key = batching.coalescingKey(write.record());
    if (key != null) {
      byCollection.computeIfAbsent(collection, any -> new HashMap<>()).put(key, write);
    }
  }

  /**
   * Removes the writes of a bulk that is sent. Sent writes do not change, even if they wait for a
   * retry.
   */
  void sent(Bulk<T> bulk) {
    Map<Object, PendingWrite<T>> writes = byCollection.get(bulk.collection());
    if (writes == null) {
      return;
    }
    for (PendingWrite<T> write : bulk.writes()) {
      Object key = batching.coalescingKey(write.record());
      if (key != null) {
        // If the bulk is a retry, the key may already belong to a later write.
        writes.remove(key, write);
      }
    }
    if (writes.isEmpty()) {
      byCollection.remove(bulk.collection());
    }
  }
}
