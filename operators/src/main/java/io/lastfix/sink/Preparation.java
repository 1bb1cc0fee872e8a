package io.lastfix.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** A collection that is being made ready for writes, and the bulks that wait for it. */
final class Preparation<T> {
  private final String collection;
  private final Deque<Bulk<T>> parked = new ArrayDeque<>();
  private int attempts;
  private long sinceMillis;

  Preparation(String collection) {
    this.collection = collection;
  }

  /** Has a bulk wait; with others where they fit into one, or they would be sent one by one. */
  void park(Bulk<T> bulk, BulkOptions options) {
    if (parked.isEmpty() || !parked.getLast().takeIn(bulk, options)) {
      parked.addLast(bulk);
    }
  }

  /**
   * It was attempted. Before that it may have waited for the thread that prepares others.
   *
   * @param begunMillis when the attempt began, on the writer's clock
   */
  void attempted(long begunMillis) {
    if (attempts == 0) {
      sinceMillis = begunMillis;
    }
    attempts++;
  }

  /** The bulks that waited, the last one first. */
  Iterator<Bulk<T>> lastFirst() {
    return parked.descendingIterator();
  }

  String collection() {
    return collection;
  }

  int attempts() {
    return attempts;
  }

  /** When the first attempt began. */
  long sinceMillis() {
    return sinceMillis;
  }

  /** How many writes wait. */
  int writes() {
    return parked.stream().mapToInt(Bulk::size).sum();
  }
}
