package io.lastfix.store.history;

import io.lastfix.store.connect.Checks;
import io.lastfix.store.provision.CollectionDescription;
import io.lastfix.store.provision.KeyPattern;
import io.lastfix.store.provision.UnionViewDescription;
import java.io.Serializable;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Which collections History is kept in.
 *
 * <p>The record's own timestamp decides, so devices with wrong clocks and replays of old data make
 * collections, one for each period they name, as far as {@link PartitionLimits} allow.
 *
 * @param period how much time one collection holds; changing it on a running system makes a replay
 *     store records a second time, in the collections of the new period
 * @param collectionPrefix what their names begin with, 1 to 60 letters, digits, {@code _} or {@code
 *     -}
 * @param shardKey what they are sharded on, where they can be
 * @param cellIndex whether they have an index on (cell, ts), for who was in a cell at some time
 * @param view the name of the view over all of them, 1 to 60 letters, digits, {@code _} or {@code
 *     -}, and not a partition's; empty: there is none
 * @param retention how long they are kept; null: for ever
 */
public record HistoryOptions(
    PartitionPeriod period,
    String collectionPrefix,
    HistoryShardKey shardKey,
    boolean cellIndex,
    String view,
    @Nullable HistoryRetention retention)
    implements Serializable {
  /** A user's records in the order of their time, where the shard key's index does not serve. */
  private static final KeyPattern USER_AND_TIME = KeyPattern.ascending("user", "ts");

  public HistoryOptions {
    Objects.requireNonNull(period, "period");
    Checks.isName("collectionPrefix", collectionPrefix);
    Objects.requireNonNull(shardKey, "shardKey");
    if (!view.isEmpty()) {
      Checks.isName("view", view);
      if (HistoryPartition.parse(collectionPrefix, view).isPresent()) {
        throw new IllegalArgumentException(
            "view: expected a name that no partition has, found \"%s\"".formatted(view));
      }
    }
    if (retention != null && retention.period() != period) {
      throw new IllegalArgumentException(
          "retention: expected that of a %s, found that of a %s"
              .formatted(period, retention.period()));
    }
  }

  /** Kept for ever, and shown by a view that is named as they are without their period. */
  public HistoryOptions(
      PartitionPeriod period,
      String collectionPrefix,
      HistoryShardKey shardKey,
      boolean cellIndex) {
    this(period, collectionPrefix, shardKey, cellIndex, collectionPrefix, null);
  }

  /** By the hash of the user where they are sharded, with no more indexes than the sinks need. */
  public HistoryOptions(PartitionPeriod period, String collectionPrefix) {
    this(period, collectionPrefix, HistoryShardKey.USER_HASHED, false);
  }

  /** A collection for each month, {@code history_2026_11}. */
  public static HistoryOptions defaults() {
    return new HistoryOptions(PartitionPeriod.MONTH, "history");
  }

  /**
   * The name of the collection that holds that moment.
   *
   * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
   */
  public String collectionAt(long timestampMillis) {
    return period.collectionName(collectionPrefix, timestampMillis);
  }

  /** These with another view, or without one. */
  public HistoryOptions withView(String newView) {
    return new HistoryOptions(period, collectionPrefix, shardKey, cellIndex, newView, retention);
  }

  /** These, kept that long. */
  public HistoryOptions withRetention(@Nullable HistoryRetention newRetention) {
    return new HistoryOptions(period, collectionPrefix, shardKey, cellIndex, view, newRetention);
  }

  /** The partition that holds that moment. */
  public HistoryPartition partitionAt(Instant moment) {
    return HistoryPartition.parse(collectionPrefix, collectionAt(moment.toEpochMilli()))
        .orElseThrow(() -> new IllegalArgumentException("no partition holds " + moment));
  }

  /** The view as it must be; empty if there is to be none. */
  public Optional<UnionViewDescription> viewDescription() {
    return view.isEmpty()
        ? Optional.empty()
        : Optional.of(HistoryView.description(view, collectionPrefix));
  }

  /** That partition as it must be. */
  public CollectionDescription description(String collection) {
    return new CollectionDescription(
        collection,
        shardKey.keys(),
        List.of(USER_AND_TIME),
        cellIndex ? List.of(KeyPattern.ascending("cell", "ts")) : List.of());
  }
}
