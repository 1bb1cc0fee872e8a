package io.lastfix.store.history;

import org.jspecify.annotations.Nullable;

/**
 * Maps each record of History to its collection at the cost of a division. Formatting a date for
 * every record would cost more than all other work on it. The cache has 64 names, of days or hours,
 * so that records of several periods do not evict each other.
 */
public final class PartitionNames {
  private static final int SLOTS = 64;

  private final HistoryOptions options;
  private final long[] units = new long[SLOTS];
  private final @Nullable String[] names = new @Nullable String[SLOTS];

  public PartitionNames(HistoryOptions options) {
    this.options = options;
  }

  public String nameAt(long timestampMillis) {
    long unit = options.period().unitOf(timestampMillis);
    int slot = (int) unit & (SLOTS - 1);
    String name = names[slot];
    if (name == null || units[slot] != unit) {
      name = options.collectionAt(timestampMillis);
      units[slot] = unit;
      names[slot] = name;
    }
    return name;
  }
}
