package io.lastfix.sink;

import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.counts.WindowCount;

/** Each group of a window has at most one waiting write: the newest number. */
final class WindowCountBatching implements NumberBatching<WindowCount> {
  private static final long serialVersionUID = 1;

  /** Operators, field names, lengths, numbers and dates. */
  private static final int MAX_BYTES_WITHOUT_KEY = 192;

  /** Chars with up to three bytes in UTF-8. */
  private static final int BYTES_PER_CHAR = 3;

  private final NumberCollections counts;

  WindowCountBatching(NumberCollections counts) {
    this.counts = counts;
  }

  @Override
  public String collection(WindowCount count) {
    return counts.collectionAt(count.windowMillis());
  }

  @Override
  public int maxEncodedBytes(WindowCount count) {
    return MAX_BYTES_WITHOUT_KEY + BYTES_PER_CHAR * count.key().length();
  }

  @Override
  public Object coalescingKey(WindowCount count) {
    return count.id();
  }

  /** The numbers of a group come in their order, from one subtask. */
  @Override
  public boolean supersedes(WindowCount count, WindowCount other) {
    return count.rev() >= other.rev();
  }
}
