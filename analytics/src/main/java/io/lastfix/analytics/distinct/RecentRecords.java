package io.lastfix.analytics.distinct;

import java.util.Arrays;

/**
 * The identities of one user's records of the last hour: timestamps, in ascending order, each with
 * eight bytes of the hash in History's {@code _id}. Mutable; 16 bytes a record.
 */
final class RecentRecords {
  private long[] timestamps;
  private long[] hashes;
  private int size;

  RecentRecords() {
    this(new long[4], new long[4], 0);
  }

  RecentRecords(long[] timestamps, long[] hashes, int size) {
    this.timestamps = timestamps;
    this.hashes = hashes;
    this.size = size;
  }

  RecentRecords copy() {
    return new RecentRecords(timestamps.clone(), hashes.clone(), size);
  }

  int size() {
    return size;
  }

  long timestamp(int index) {
    return timestamps[index];
  }

  long hash(int index) {
    return hashes[index];
  }

  /** Adds a record; returns false if it is there. */
  boolean add(long timestampMillis, long hash) {
    int at = size;
    while (at > 0 && timestamps[at - 1] >= timestampMillis) {
      at--;
      if (timestamps[at] == timestampMillis && hashes[at] == hash) {
        return false;
      }
    }
    if (size == timestamps.length) {
      timestamps = Arrays.copyOf(timestamps, size + (size >> 1) + 1);
      hashes = Arrays.copyOf(hashes, timestamps.length);
    }
    System.arraycopy(timestamps, at, timestamps, at + 1, size - at);
    System.arraycopy(hashes, at, hashes, at + 1, size - at);
    timestamps[at] = timestampMillis;
    hashes[at] = hash;
    size++;
    return true;
  }

  /** Removes the records before that timestamp. */
  void removeBefore(long timestampMillis) {
    int first = 0;
    while (first < size && timestamps[first] < timestampMillis) {
      first++;
    }
    if (first > 0) {
      size -= first;
      System.arraycopy(timestamps, first, timestamps, 0, size);
      System.arraycopy(hashes, first, hashes, 0, size);
    }
  }
}
