package io.lastfix.store.history;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The existing partitions.
 *
 * @param database database of the partitions
 * @param view name of the view over them; empty: no view
 * @param partitions the oldest first
 */
public record PartitionList(String database, String view, List<Entry> partitions) {
  /** The state of a partition at the current time. */
  public enum State {
    /** The job rejects its records, and drops it when no record can be in flight to it any more. */
    EXPIRED,
    /** Its period is over. */
    PAST,
    /** Its period contains the current time. */
    CURRENT,
    /** Its period begins when the current one ends. */
    NEXT,
    /** Its period begins later still. */
    FUTURE;

    public String words() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One partition.
   *
   * @param from first instant of its period
   * @param to first instant after its period
   * @param inView true if the view shows it
   */
  public record Entry(String name, Instant from, Instant to, State state, boolean inView) {}

  /** Returns the existing partitions with their states at that time. */
  public static PartitionList of(
      String database, HistoryOptions history, List<HistoryPartition> partitions, Instant now) {
    Set<String> shown =
        history.view().isEmpty()
            ? Set.of()
            : new HashSet<>(
                HistoryView.members(
                    history.collectionPrefix(),
                    partitions.stream().map(HistoryPartition::collection).toList()));
    return new PartitionList(
        database,
        history.view(),
        partitions.stream()
            .map(
                partition ->
                    new Entry(
                        partition.collection(),
                        partition.start(),
                        partition.end(),
                        state(partition, history, now),
                        shown.contains(partition.collection())))
            .toList());
  }

  private static State state(HistoryPartition partition, HistoryOptions history, Instant now) {
    HistoryRetention retention = history.retention();
    if (retention != null && retention.isExpired(partition, now)) {
      return State.EXPIRED;
    }
    if (!partition.end().isAfter(now)) {
      return State.PAST;
    }
    if (!partition.start().isAfter(now)) {
      return State.CURRENT;
    }
    return partition.start().equals(history.partitionAt(now).end()) ? State.NEXT : State.FUTURE;
  }

  public long inView() {
    return partitions.stream().filter(Entry::inView).count();
  }
}
