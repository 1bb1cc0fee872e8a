package io.lastfix.sink;

import io.lastfix.provision.CollectionDescription;
import io.lastfix.provision.KeyPattern;
import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * Which collections History is kept in.
 *
 * <p><b>Warning:</b> the record's own timestamp decides, so with {@link PartitionPeriod#DAY} and
 * {@link PartitionPeriod#HOUR}, devices with wrong clocks and replays of old data make collections
 * without end, one for each day or hour they name, until the server suffers. Set the job's {@code
 * parse.min-timestamp}, which rejects what is earlier, with either.
 *
 * @param period how much time one collection holds; changing it on a running system makes a replay
 *     store records a second time, in the collections of the new period
 * @param collectionPrefix what their names begin with, 1 to 60 letters, digits, {@code _} or {@code
 *     -}
 * @param shardKey what they are sharded on, where they can be
 * @param cellIndex whether they have an index on (cell, ts), for who was in a cell at some time
 */
public record HistoryOptions(
    PartitionPeriod period, String collectionPrefix, HistoryShardKey shardKey, boolean cellIndex)
    implements Serializable {
  /** A user's records in the order of their time, where the shard key's index does not serve. */
  private static final KeyPattern USER_AND_TIME = KeyPattern.ascending("user", "ts");

  public HistoryOptions {
    Objects.requireNonNull(period, "period");
    Checks.isName("collectionPrefix", collectionPrefix);
    Objects.requireNonNull(shardKey, "shardKey");
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

  /** That partition as it must be. */
  public CollectionDescription description(String collection) {
    return new CollectionDescription(
        collection,
        shardKey.keys(),
        List.of(USER_AND_TIME),
        cellIndex ? List.of(KeyPattern.ascending("cell", "ts")) : List.of());
  }
}
