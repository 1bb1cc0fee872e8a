package io.lastfix.store.query;

import io.lastfix.store.history.HistoryPartition;
import java.util.Comparator;

/** Which records are given first. One order is the exact reverse of the other. */
public enum TimeOrder {
  /** From now back. */
  NEWEST_FIRST(-1),
  /** From the beginning on. */
  OLDEST_FIRST(1);

  private final int direction;

  TimeOrder(int direction) {
    this.direction = direction;
  }

  /** 1 or -1, as MongoDB's sort takes it. */
  int direction() {
    return direction;
  }

  Comparator<RecordPosition> positions() {
    return this == OLDEST_FIRST ? Comparator.naturalOrder() : Comparator.reverseOrder();
  }

  /** Partitions as one comes to them: by the end that is reached first. */
  Comparator<HistoryPartition> partitions() {
    return this == OLDEST_FIRST
        ? Comparator.comparing(HistoryPartition::start)
        : Comparator.comparing(HistoryPartition::end).reversed();
  }

  /** Whether that partition can hold anything that comes before that moment, or at it. */
  boolean mayHoldUpTo(HistoryPartition partition, long millis) {
    return this == OLDEST_FIRST
        ? partition.start().toEpochMilli() <= millis
        : partition.end().toEpochMilli() > millis;
  }
}
