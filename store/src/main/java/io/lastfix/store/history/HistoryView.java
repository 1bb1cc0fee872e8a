package io.lastfix.store.history;

import io.lastfix.store.provision.UnionViewDescription;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The view that shows all partitions of History as one collection. */
public final class HistoryView {
  /**
   * A view may have at most 1,000 stages, one per partition, and the stages of a query on it count
   * too.
   */
  public static final int MOST_PARTITIONS = 900;

  private HistoryView() {}

  /** Returns the description of the view. */
  static UnionViewDescription description(String name, String prefix) {
    return new UnionViewDescription(name, collections -> members(prefix, collections));
  }

  /**
   * Selects the partitions that the view shows, the newest first. A query with a limit and no sort
   * order then returns new records without reading the older partitions.
   */
  public static List<String> members(String prefix, Collection<String> collections) {
    return collections.stream()
        .map(collection -> HistoryPartition.parse(prefix, collection))
        .flatMap(Optional::stream)
        .sorted(HistoryPartition.OLDEST_FIRST.reversed())
        .limit(MOST_PARTITIONS)
        .map(HistoryPartition::collection)
        .toList();
  }

  /**
   * Describes that a view leaves out the oldest partitions.
   *
   * @param partitions number of partitions
   * @return the message; empty if the view shows all of them
   */
  public static Optional<String> leftOut(String view, int partitions) {
    return partitions <= MOST_PARTITIONS
        ? Optional.empty()
        : Optional.of(
            "the view %s shows the newest %d of %d partitions: a view of MongoDB cannot show more"
                .formatted(view, MOST_PARTITIONS, partitions));
  }
}
