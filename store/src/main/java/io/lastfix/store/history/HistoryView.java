package io.lastfix.store.history;

import io.lastfix.store.provision.UnionViewDescription;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** The view that shows analysts all partitions of History as one collection. */
public final class HistoryView {
  /**
   * A view has at most 1,000 stages, one for each partition, and the stages of whoever asks it come
   * on top.
   */
  public static final int MOST_PARTITIONS = 900;

  private HistoryView() {}

  /** The view as it must be. */
  static UnionViewDescription description(String name, String prefix) {
    return new UnionViewDescription(name, collections -> members(prefix, collections));
  }

  /**
   * Of collections the partitions that the view shows, the newest first: who asks for a few without
   * saying which gets new ones, and the older partitions are not read.
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
   * That a view leaves out the oldest.
   *
   * @param partitions how many there are
   * @return for a person; empty where it shows all of them
   */
  public static Optional<String> leftOut(String view, int partitions) {
    return partitions <= MOST_PARTITIONS
        ? Optional.empty()
        : Optional.of(
            "the view %s shows the newest %d of %d partitions: a view of MongoDB has no room for more"
                .formatted(view, MOST_PARTITIONS, partitions));
  }
}
