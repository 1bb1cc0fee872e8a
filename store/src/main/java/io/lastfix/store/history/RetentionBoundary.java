package io.lastfix.store.history;

/**
 * Decides for each record whether its partition is expired, at the cost of three comparisons. It
 * recomputes {@link HistoryRetention#firstKept} only when the clock enters another period. For one
 * thread.
 */
public final class RetentionBoundary {
  private final HistoryRetention retention;

  private long firstKept;

  // The boundary stays valid while the clock is in this range; at first the range is empty.
  private long fromMillis = 1;
  private long toMillis;

  public RetentionBoundary(HistoryRetention retention) {
    this.retention = retention;
  }

  /**
   * Returns true if the partition of that timestamp is expired.
   *
   * @param timestampMillis milliseconds since 1970
   * @param nowMillis the clock, milliseconds since 1970; it may be adjusted backwards
   */
  public boolean isExpired(long timestampMillis, long nowMillis) {
    if (nowMillis < fromMillis || nowMillis >= toMillis) {
      move(nowMillis);
    }
    return timestampMillis < firstKept;
  }

  private void move(long nowMillis) {
    long keptMillis = retention.kept().toMillis();
    firstKept = retention.firstKept(nowMillis);
    fromMillis = firstKept + keptMillis;
    toMillis = retention.period().endOf(firstKept) + keptMillis;
  }
}
