package io.lastfix.store.history;

/**
 * Tells of each record whether its partition is expired, for three comparisons: {@link
 * HistoryRetention#firstKept} is worked out again only when the clock comes into another period.
 * For one thread.
 */
public final class RetentionBoundary {
  private final HistoryRetention retention;

  private long firstKept;

  // While the clock is in this stretch the boundary stays. At first there is none.
  private long fromMillis = 1;
  private long toMillis;

  public RetentionBoundary(HistoryRetention retention) {
    this.retention = retention;
  }

  /**
   * Whether the partition of that moment is expired.
   *
   * @param timestampMillis milliseconds since 1970
   * @param nowMillis the clock, milliseconds since 1970; it may step back
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
