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
 * The records that wait in a subtask, whatever their keys: found by their expiry, and by their age.
 *
 * <p>Keyed state has no order over its keys, so this is kept beside it: two longs for each record,
 * rebuilt from the state after a restore. Expiries are rounded to a 32nd part of the wait, so there
 * are some dozens of them, each with a bucket of its own, in the order of arrival; nothing here
 * goes through all records. The oldest is the first of some bucket: of the one that expires first,
 * unless the clock was set back or the wait was changed.
 */
final class WaitingQueue {
  private final NavigableMap<Long, Bucket> byExpiry = new TreeMap<>();
  private int size;

  /**
   * Where a record is.
   *
   * @param arrival greater than 0, different for each two records of a key
   */
  record Place(long expiryMillis, long arrival, long key) implements Comparable<Place> {
    /** By arrival. */
    @Override
    public int compareTo(Place other) {
      return WaitingQueue.compare(arrival, key, other.arrival, other.key);
    }
  }

  /**
   * Records that were taken out.
   *
   * @param keys whose they are
   * @param isOneOfThem tells them from the other records of these keys
   */
  record Leaving(Set<Long> keys, Predicate<Place> isOneOfThem) {}

  int size() {
    return size;
  }

  boolean isEmpty() {
    return size == 0;
  }

  /** The expiry of the first in the queue; {@code Long.MAX_VALUE} if there is none. */
  long earliestExpiryMillis() {
    return byExpiry.isEmpty() ? Long.MAX_VALUE : byExpiry.firstKey();
  }

  /**
   * Puts a record in. It must be the last by arrival of those with its expiry: what is restored is
   * added in the order of arrival.
   */
  void add(Place place) {
    byExpiry
        .computeIfAbsent(place.expiryMillis(), absent -> new Bucket())
        .append(place.arrival(), place.key());
    size++;
  }

  /** Takes out a record that leaves before its turn. */
  void remove(Place place) {
    Bucket bucket = byExpiry.get(place.expiryMillis());
    if (bucket == null || !bucket.remove(place.arrival(), place.key())) {
      throw new IllegalStateException("Expected a waiting record at " + place);
    }
    size--;
    if (bucket.live == 0) {
      byExpiry.remove(place.expiryMillis());
    }
  }

  /** Takes out those that expire at that instant or before it. */
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
    return new Leaving(keys, place -> place.expiryMillis() <= nowMillis);
  }

  /**
   * Takes out the oldest.
   *
   * @param count 1 to {@link #size()}
   */
  Leaving pollOldest(int count) {
    Set<Long> keys = new LinkedHashSet<>();
    Place last = null;
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
      Bucket bucket = Objects.requireNonNull(oldest, "nothing waits").getValue();
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
    Place youngest = Objects.requireNonNull(last, "count: expected 1 or more");
    return new Leaving(keys, place -> place.compareTo(youngest) <= 0);
  }

  private static int compare(long arrival, long key, long otherArrival, long otherKey) {
    int byArrival = Long.compare(arrival, otherArrival);
    return byArrival == 0 ? Long.compare(key, otherKey) : byArrival;
  }

  /** The records of one expiry, ascending by arrival and key. */
  private static final class Bucket {
    private static final int FIRST_CAPACITY = 16;

    /** Gaps are closed only beyond so many. */
    private static final int FEW_GAPS = 1_024;

    /** One that was removed is there still, with all its bits turned. */
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

    /** Its expiry is not told. */
    Place takeFirst() {
      Place first = new Place(0, firstArrival(), keys[start]);
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
