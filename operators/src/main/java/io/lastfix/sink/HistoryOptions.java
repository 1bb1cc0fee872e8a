package io.lastfix.sink;

import java.io.Serializable;
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
 */
public record HistoryOptions(PartitionPeriod period, String collectionPrefix)
    implements Serializable {
  public HistoryOptions {
    Objects.requireNonNull(period, "period");
    Checks.isName("collectionPrefix", collectionPrefix);
  }

  /** A collection for each month, {@code history_2026_11}. */
  public static HistoryOptions defaults() {
    return new HistoryOptions(PartitionPeriod.MONTH, "history");
  }
}
