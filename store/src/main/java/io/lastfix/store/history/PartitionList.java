package io.lastfix.store.history;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The partitions that are there.
 *
 * @param database they are in
 * @param view the name of the view over them; empty: there is none
 * @param partitions the oldest first
 */
public record PartitionList(String database, String view, List<Entry> partitions) {
  /** What the clock makes of a partition. */
  public enum State {
    /** Its records are rejected, and it is dropped when none can be on their way any more. */
    EXPIRED,
    /** It is over. */
    PAST,
    /** It holds now. */
    CURRENT,
    /** It begins when the current one is over. */
    NEXT,
    /** It begins later still. */
    FUTURE;

    public String words() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * One partition.
   *
   * @param from the first moment it can hold
   * @param to the first moment after it
   * @param inView whether the view shows it
   */
  public record Entry(String name, Instant from, Instant to, State state, boolean inView) {}

  /** What is there of that History, at that time. */
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
