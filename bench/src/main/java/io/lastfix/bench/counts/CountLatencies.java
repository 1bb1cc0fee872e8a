package io.lastfix.bench.counts;

import io.lastfix.bench.load.Latencies;
import io.lastfix.store.counts.WindowCount;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The time from the sending of a record until a count of its window includes it: the record sent as
 * the k-th of its window is included once the number is k or more. Records that overtake others
 * change nothing in how many are late by how much.
 *
 * <p>One thread sends, each observer has a thread of its own.
 */
public final class CountLatencies {
  private final Map<Long, Sent> windows = new ConcurrentHashMap<>();
  private final LongSupplier millisClock;

  /**
   * Nothing was sent yet.
   *
   * @param millisClock milliseconds since 1970
   */
  public CountLatencies(LongSupplier millisClock) {
    this.millisClock = millisClock;
  }

  /** The timestamps of a window's records, in the order of sending. */
  private static final class Sent {
    private long[] millis = new long[1_024];
    private int size;

    synchronized void add(long timestampMillis) {
      if (size == millis.length) {
        millis = Arrays.copyOf(millis, 2 * size);
      }
      millis[size] = timestampMillis;
      size++;
    }

    /** Returns the timestamps of the records from one number to below another. */
    synchronized long[] between(int from, long to) {
      return Arrays.copyOfRange(millis, from, (int) Math.max(from, Math.min(to, size)));
    }
  }

  /** Returns the timestamp of a record that is sent now, and notes it. */
  public long next() {
    long now = millisClock.getAsLong();
    windows.computeIfAbsent(WindowCount.windowOf(now), any -> new Sent()).add(now);
    return now;
  }

  /** Starts to observe records that are sent from that instant on, in milliseconds since 1970. */
  public Observer observe(long fromMillis) {
    return new Observer(fromMillis);
  }

  /** Sees published numbers at one place. */
  public final class Observer {
    private final long fromMillis;
    private final Latencies latencies = new Latencies();
    private final Map<Long, Integer> included = new HashMap<>();

    private Observer(long fromMillis) {
      this.fromMillis = fromMillis;
    }

    /** A number of all records of a window was found. */
    public synchronized void found(long windowMillis, long n) {
      Sent sent = windows.get(windowMillis);
      if (sent == null) {
        return;
      }
      long now = millisClock.getAsLong();
      int before = included.getOrDefault(windowMillis, 0);
      long[] newlyIncluded = sent.between(before, n);
      for (long sentMillis : newlyIncluded) {
        if (sentMillis >= fromMillis) {
          latencies.add((now - sentMillis) * 1_000_000);
        }
      }
      included.put(windowMillis, before + newlyIncluded.length);
    }

    /** Of the records that numbers have included so far. */
    public Latencies latencies() {
      return latencies;
    }

    /** Records that were sent, and that no number has included so far. */
    public synchronized long missing() {
      long missing = 0;
      for (Map.Entry<Long, Sent> window : windows.entrySet()) {
        for (long sentMillis :
            window
                .getValue()
                .between(included.getOrDefault(window.getKey(), 0), Integer.MAX_VALUE)) {
          if (sentMillis >= fromMillis) {
            missing++;
          }
        }
      }
      return missing;
    }
  }
}
