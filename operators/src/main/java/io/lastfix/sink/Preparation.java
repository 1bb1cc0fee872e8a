package io.lastfix.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** A collection in preparation, and the bulks that wait for it. */
final class Preparation<T> {
  private final String collection;
  private final Deque<Bulk<T>> parked = new ArrayDeque<>();
  private int attempts;
  private long sinceMillis;

  Preparation(String collection) {
    this.collection = collection;
  }

  /**
   * Parks a bulk. It merges it with others if they fit into one bulk; otherwise they would be sent
   * one by one.
   */
  void park(Bulk<T> bulk, BulkOptions options) {
    if (parked.isEmpty() || !parked.getLast().takeIn(bulk, options)) {
      parked.addLast(bulk);
    }
  }

  /**
   * Counts an attempt. Before its first one the preparation may have waited for the thread.
   *
   * @param begunMillis when the attempt began, on the writer's clock
   */
  void attempted(long begunMillis) {
    if (attempts == 0) {
      sinceMillis = begunMillis;
    }
    attempts++;
  }

  /** Returns the parked bulks, the last one first. */
  Iterator<Bulk<T>> lastFirst() {
    return parked.descendingIterator();
  }

  String collection() {
    return collection;
  }

  int attempts() {
    return attempts;
  }

  /** Returns when the first attempt began. */
  long sinceMillis() {
    return sinceMillis;
  }

  /** Returns the number of waiting writes. */
  int writes() {
    return parked.stream().mapToInt(Bulk::size).sum();
  }
}
