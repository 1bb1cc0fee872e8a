package io.lastfix.locate;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * The waiting records of a subtask over all keys, ordered by expiry and by age.
 *
 * <p>Keyed state has no order over its keys, so this queue exists beside it: two longs per record,
 * rebuilt from the state after a restore. Expiries are rounded to a 32nd of the wait. There are
 * thus a few dozen of them, each with a bucket in order of arrival, and no method scans all
 * records. The oldest record is the first of some bucket. That is the bucket that expires first,
 * unless the clock was adjusted backwards or the wait was changed.
 */
final class WaitingQueue {
  private final NavigableMap<Long, Bucket> byExpiry = new TreeMap<>();
  private int size;

  /**
   * Position of a record.
   *
   * @param arrival greater than 0, unique among the records of a key
   */
  record Slot(long expiryMillis, long arrival, long key) implements Comparable<Slot> {
    /** Compares arrivals. */
    @Override
    public int compareTo(Slot other) {
      return WaitingQueue.compare(arrival, key, other.arrival, other.key);
    }
  }

  /**
   * Records that left the queue.
   *
   * @param keys their keys
   * @param isLeaving selects them among the other records of these keys
   */
  record Leaving(Set<Long> keys, Predicate<Slot> isLeaving) {}

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** Returns the earliest expiry; {@code Long.MAX_VALUE} if the queue is empty. */
  long earliestExpiryMillis() {
    return byExpiry.isEmpty() ? Long.MAX_VALUE : byExpiry.firstKey();
  }

  /**
   * Adds a record. Its arrival must be the greatest of its expiry, so restored records are added in
   * order of arrival.
   */
  void add(Slot slot) {
    byExpiry
        .computeIfAbsent(slot.expiryMillis(), absent -> new Bucket())
        .append(slot.arrival(), slot.key());
    size++;
  }

  /** Removes a record before its expiry. */
  void remove(Slot slot) {
    Bucket bucket = byExpiry.get(slot.expiryMillis());
    if (bucket == null || !bucket.remove(slot.arrival(), slot.key())) {
      throw new IllegalStateException("Expected a waiting record at " + slot);
    }
    size--;
    if (bucket.live == 0) {
      byExpiry.remove(slot.expiryMillis());
    }
  }

  /** Removes the records that expire at or before that instant. */
  Leaving pollExpired(long nowMillis) {
    Set<Long> keys = new LinkedHashSet<>();
    Iterator<Bucket> expired = byExpiry.headMap(nowMillis, true).values().iterator();
    while (expired.hasNext()) {
      Bucket bucket = expired.next();
      size -= bucket.live;
      while (bucket.live > 0) {
        keys.add(bucket.takeFirst().key());
      }
      expired.remove();
    }
    return new Leaving(keys, slot -> slot.expiryMillis() <= nowMillis);
  }

  /**
   * Removes the oldest records.
   *
   * @param count 1 to {@link #size()}
   */
  Leaving pollOldest(int count) {
    Set<Long> keys = new LinkedHashSet<>();
    Slot last = null;
    for (int taken = 0; taken < count; ) {
      Map.Entry<Long, Bucket> oldest = null;
      long nextArrival = Long.MAX_VALUE;
      for (Map.Entry<Long, Bucket> entry : byExpiry.entrySet()) {
        if (oldest == null || entry.getValue().compareFirst(oldest.getValue()) < 0) {
          nextArrival = oldest == null ? nextArrival : oldest.getValue().firstArrival();
          oldest = entry;
        } else {
          nextArrival = Math.min(nextArrival, entry.getValue().firstArrival());
        }
      }
      Bucket bucket = Objects.requireNonNull(oldest, "the queue is empty").getValue();
      do {
        last = bucket.takeFirst();
        keys.add(last.key());
        taken++;
        size--;
      } while (taken < count && bucket.live > 0 && bucket.firstArrival() < nextArrival);
      if (bucket.live == 0) {
        byExpiry.remove(oldest.getKey());
      }
    }
    Slot youngest = Objects.requireNonNull(last, "count: expected 1 or more");
    return new Leaving(keys, slot -> slot.compareTo(youngest) <= 0);
  }

  private static int compare(long arrival, long key, long otherArrival, long otherKey) {
    int byArrival = Long.compare(arrival, otherArrival);
    return byArrival == 0 ? Long.compare(key, otherKey) : byArrival;
  }

  /** The records of one expiry, ascending by arrival and key. */
  private static final class Bucket {
    private static final int FIRST_CAPACITY = 16;

    /** Number of gaps up to which the bucket is not compacted. */
    private static final int FEW_GAPS = 1_024;

    /** A removed record stays in the array, with all bits inverted. */
    private long[] arrivals = new long[FIRST_CAPACITY];

    private long[] keys = new long[FIRST_CAPACITY];
    private int start;
    private int end;
    private int live;

    void append(long arrival, long key) {
      if (end == arrivals.length) {
        closeGaps();
        int capacity = Math.max(FIRST_CAPACITY, end + end / 2);
        arrivals = Arrays.copyOf(arrivals, capacity);
        keys = Arrays.copyOf(keys, capacity);
      }
      arrivals[end] = arrival;
      keys[end] = key;
      end++;
      live++;
    }

    boolean remove(long arrival, long key) {
      int found = find(arrival, key);
      if (found < 0) {
        return false;
      }
      arrivals[found] = ~arrival;
      live--;
      if (end - start - live > live + FEW_GAPS) {
        closeGaps();
      }
      return true;
    }

    private int find(long arrival, long key) {
      int low = start;
      int high = end - 1;
      while (low <= high) {
        int middle = (low + high) >>> 1;
        long at = arrivals[middle];
        int order = compare(at < 0 ? ~at : at, keys[middle], arrival, key);
        if (order == 0) {
          return at < 0 ? -1 : middle;
        }
        if (order < 0) {
          low = middle + 1;
        } else {
          high = middle - 1;
        }
      }
      return -1;
    }

    long firstArrival() {
      while (arrivals[start] < 0) {
        start++;
      }
      return arrivals[start];
    }

    int compareFirst(Bucket other) {
      long arrival = firstArrival();
      long otherArrival = other.firstArrival();
      return WaitingQueue.compare(arrival, keys[start], otherArrival, other.keys[other.start]);
    }

    /** Returns a slot without its expiry. */
    Slot takeFirst() {
      Slot first = new Slot(0, firstArrival(), keys[start]);
      start++;
      live--;
      return first;
    }

    private void closeGaps() {
      int to = 0;
      for (int from = start; from < end; from++) {
        if (arrivals[from] >= 0) {
          arrivals[to] = arrivals[from];
          keys[to] = keys[from];
          to++;
        }
      }
      start = 0;
      end = to;
    }
  }
}
