package io.lastfix.store.query;

import io.lastfix.store.history.HistoryPartition;
import java.util.Comparator;

/** The order of the records. One order is the exact reverse of the other. */
public enum TimeOrder {
  /** Backwards from the end of the range. */
  NEWEST_FIRST(-1),
  /** Forwards from the beginning of the range. */
  OLDEST_FIRST(1);

  private final int direction;

  TimeOrder(int direction) {
    this.direction = direction;
  }

  /** Returns 1 or -1, as in MongoDB's sort. */
  int direction() {
    return direction;
  }

  Comparator<RecordPosition> positions() {
    return this == OLDEST_FIRST ? Comparator.naturalOrder() : Comparator.reverseOrder();
  }

  /** Orders partitions as the reader reaches them: by the end that comes first. */
  Comparator<HistoryPartition> partitions() {
    return this == OLDEST_FIRST
        ? Comparator.comparing(HistoryPartition::start)
        : Comparator.comparing(HistoryPartition::end).reversed();
  }

  /** Returns true if the partition can contain records at or before that instant, in this order. */
  boolean mayHoldUpTo(HistoryPartition partition, long millis) {
    return this == OLDEST_FIRST
        ? partition.start().toEpochMilli() <= millis
        : partition.end().toEpochMilli() > millis;
  }
}
