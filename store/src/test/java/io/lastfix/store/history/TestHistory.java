package io.lastfix.store.history;

import java.util.List;

/** Options of History for tests; a test changes only what it needs. */
public final class TestHistory {
  /** One collection a month, {@code history_2026_11}, as the configuration has it by default. */
  public static final HistoryOptions MONTHS = of(PartitionPeriod.MONTH);

  private TestHistory() {}

  /** Sharded on the hash of the user, with only the indexes that the sinks need. */
  public static HistoryOptions of(PartitionPeriod period) {
    return of(period, HistoryShardKey.USER_HASHED, false);
  }

  /** Keeps records for ever; the view has the collections' prefix as its name. */
  public static HistoryOptions of(
      PartitionPeriod period, HistoryShardKey shardKey, boolean cellIndex) {
    return new HistoryOptions(period, "history", shardKey, cellIndex, "history", null, List.of());
  }

  /** Returns a copy with another view, or without one. */
  public static HistoryOptions withView(HistoryOptions history, String view) {
    return new HistoryOptions(
        history.period(),
        history.collectionPrefix(),
        history.shardKey(),
        history.cellIndex(),
        view,
        history.retention(),
        history.numberPrefixes());
  }

  /** Returns a copy with another retention. */
  public static HistoryOptions withRetention(HistoryOptions history, HistoryRetention retention) {
    return new HistoryOptions(
        history.period(),
        history.collectionPrefix(),
        history.shardKey(),
        history.cellIndex(),
        history.view(),
        retention,
        history.numberPrefixes());
  }
}
