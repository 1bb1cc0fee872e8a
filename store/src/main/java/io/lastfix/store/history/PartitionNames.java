package io.lastfix.store.history;

import org.jspecify.annotations.Nullable;

/**
 * The collection of each record of History, at the cost of a division: formatting a date for every
 * record would cost more than all else a record costs. A name is kept for each of the last 64 days
 * or hours seen, so that records of several periods side by side don't push each other out.
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
