package io.lastfix.sink;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;

/** A collection that is being made ready for writes, and the bulks that wait for it. */
final class Preparation<T> {
  private final String collection;
  private final long sinceMillis;
  private final Deque<Bulk<T>> parked = new ArrayDeque<>();
  private int attempts;

  /**
   * @param sinceMillis when it began, on the writer's clock
   */
  Preparation(String collection, long sinceMillis) {
    this.collection = collection;
    this.sinceMillis = sinceMillis;
  }

  /** Has a bulk wait; with others where they fit into one, or they would be sent one by one. */
  void park(Bulk<T> bulk, long nowMillis, BulkOptions options) {
    bulk.parked(nowMillis);
    if (parked.isEmpty() || !parked.getLast().takeIn(bulk, options)) {
      parked.addLast(bulk);
    }
  }

  void begun() {
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

  long sinceMillis() {
    return sinceMillis;
  }

  /** How many writes wait. */
  int writes() {
    return parked.stream().mapToInt(Bulk::size).sum();
  }
}
