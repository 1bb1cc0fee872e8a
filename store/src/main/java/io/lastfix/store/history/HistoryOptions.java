package io.lastfix.store.history;

import io.lastfix.store.connect.ArgumentChecks;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import io.lastfix.store.provision.UnionViewDescription;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The collections of History.
 *
 * <p>The record's own timestamp selects the collection. Devices with wrong clocks and replays of
 * old data therefore create a collection for each period they name, up to {@link PartitionLimits}.
 *
 * @param period length of time of one collection. If you change it on a running system, a replay
 *     stores records a second time, in the collections of the new period
 * @param collectionPrefix prefix of the collections' names, 1 to 60 letters, digits, {@code _} or
 *     {@code -}
 * @param shardKey shard key of the collections on a sharded cluster
 * @param cellIndex true if the collections have an index on (cell, ts), for queries of users in a
 *     cell
 * @param view name of the view over all collections, 1 to 60 letters, digits, {@code _} or {@code
 *     -}, and not a partition's name; empty: no view
 * @param retention how long History keeps records; null: for ever
 * @param numberPrefixes prefixes of the collections of numbers that were computed from the records;
 *     those are dropped with the partitions of their time
 */
public record HistoryOptions(
    PartitionPeriod period,
    String collectionPrefix,
    HistoryShardKey shardKey,
    boolean cellIndex,
    String view,
    @Nullable HistoryRetention retention,
    List<String> numberPrefixes)
    implements Serializable {
  /**
   * A user's records in time order. On a sharded cluster the shard key's index serves the same
   * queries.
   */
  private static final KeyPattern USER_AND_TIME = KeyPattern.ascending("user", "ts");

  public HistoryOptions {
    ArgumentChecks.isName("collectionPrefix", collectionPrefix);
    if (!view.isEmpty()) {
      ArgumentChecks.isName("view", view);
      if (HistoryPartition.parse(collectionPrefix, view).isPresent()) {
        throw new IllegalArgumentException(
            "view: expected a name that no partition can have, found \"%s\"".formatted(view));
      }
    }
    if (retention != null && retention.period() != period) {
      throw new IllegalArgumentException(
          "retention: expected one for partitions of a %s, found one for partitions of a %s"
              .formatted(period, retention.period()));
    }
    numberPrefixes = List.copyOf(numberPrefixes);
  }

  /**
   * Returns the name of the collection for that timestamp.
   *
   * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionAt(long timestampMillis) {
    return period.collectionName(collectionPrefix, timestampMillis);
  }

  /** Returns a copy with the collections of other numbers. */
  public HistoryOptions withNumbers(List<String> newPrefixes) {
    return new HistoryOptions(
        period, collectionPrefix, shardKey, cellIndex, view, retention, newPrefixes);
  }

  /** Returns the partition for that instant. */
  public HistoryPartition partitionAt(Instant instant) {
    return HistoryPartition.parse(collectionPrefix, collectionAt(instant.toEpochMilli()))
        .orElseThrow(() -> new IllegalArgumentException("no partition contains " + instant));
  }

  /** Returns the description of the view; empty if no view is configured. */
  public Optional<UnionViewDescription> viewDescription() {
    return view.isEmpty()
        ? Optional.empty()
        : Optional.of(HistoryView.description(view, collectionPrefix));
  }

  /** Returns the description of a partition. */
  public CollectionDescription description(String collection) {
    return new CollectionDescription(
        collection,
        shardKey.keys(),
        List.of(USER_AND_TIME),
        cellIndex ? List.of(KeyPattern.ascending("cell", "ts")) : List.of());
  }

  /** Returns whether a partition has the configured period. */
  public boolean isOfPeriod(HistoryPartition partition) {
    return collectionAt(partition.start().toEpochMilli()).equals(partition.collection());
  }
}
