package io.lastfix.analytics.counts;

import java.util.Arrays;

/**
 * One group's windows that can still change, in the order of time. Mutable; 20 bytes a window. In a
 * bounded job they are all windows of the group, and come in the order of time.
 */
final class RecentCounts {
  private long[] windows;
  private long[] numbers;
  private int[] revs;
  private int size;

  RecentCounts() {
    this(new long[2], new long[2], new int[2], 0);
  }

  RecentCounts(long[] windows, long[] numbers, int[] revs, int size) {
    this.windows = windows;
    this.numbers = numbers;
    this.revs = revs;
    this.size = size;
  }

  RecentCounts copy() {
    return new RecentCounts(windows.clone(), numbers.clone(), revs.clone(), size);
  }

  int size() {
    return size;
  }

  long window(int index) {
    return windows[index];
  }

  long number(int index) {
    return numbers[index];
  }

  int rev(int index) {
    return revs[index];
  }

  /** Counts one more publication of a window's number, and returns how many there were before. */
  int nextRev(int index) {
    return revs[index]++;
  }

  /**
   * Returns the index of a window; negative if there is none, as of {@link Arrays#binarySearch}.
   */
  int indexOf(long windowMillis) {
    // The newest window is the one that most records are in.
    if (size > 0 && windows[size - 1] == windowMillis) {
      return size - 1;
    }
    return Arrays.binarySearch(windows, 0, size, windowMillis);
  }

  /** Adds records to a window, and returns its index. */
  int add(long windowMillis, long n) {
    int index = indexOf(windowMillis);
    if (index < 0) {
      index = -index - 1;
      insert(index, windowMillis);
    }
    numbers[index] += n;
    return index;
  }

  private void insert(int at, long windowMillis) {
    if (size == windows.length) {
      windows = Arrays.copyOf(windows, size + (size >> 1) + 1);
      numbers = Arrays.copyOf(numbers, windows.length);
      revs = Arrays.copyOf(revs, windows.length);
    }
    System.arraycopy(windows, at, windows, at + 1, size - at);
    System.arraycopy(numbers, at, numbers, at + 1, size - at);
    System.arraycopy(revs, at, revs, at + 1, size - at);
    windows[at] = windowMillis;
    numbers[at] = 0;
    revs[at] = 0;
    size++;
  }

  /** Removes the windows before that one. */
  void removeBefore(long windowMillis) {
    int first = 0;
    while (first < size && windows[first] < windowMillis) {
      first++;
    }
    if (first > 0) {
      size -= first;
      System.arraycopy(windows, first, windows, 0, size);
      System.arraycopy(numbers, first, numbers, 0, size);
      System.arraycopy(revs, first, revs, 0, size);
    }
  }
}
