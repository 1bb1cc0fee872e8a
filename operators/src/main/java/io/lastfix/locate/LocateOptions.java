package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;

/**
 * Limits of the wait for an unknown cell.
 *
 * <p>The limits of number and memory apply to each subtask, so that its heap can be planned for any
 * parallelism. There is no limit per cell: busy cells are where a late catalogue matters most. The
 * configuration checks the ranges.
 *
 * @param maxWait how long a record waits for its cell before the join forwards it without
 *     coordinates; 0 to 24 hours. The wait may be up to 1/32 longer, so that deadlines coincide. It
 *     starts again after each restore, since the cell may have been published while the job was
 *     down.
 * @param maxWaitingRecords maximum number of waiting records in a subtask, 1 or more; beyond it,
 *     the join forwards the oldest without coordinates
 * @param maxWaitingBytes maximum memory of the waiting records in bytes, as {@link
 *     WaitingRecord#bytes()} counts it, 1 or more
 */
public record LocateOptions(Duration maxWait, int maxWaitingRecords, long maxWaitingBytes)
    implements Serializable {
  /** Returns one minute, 200,000 records and 64 MiB per subtask. */
  public static LocateOptions defaults() {
    return new LocateOptions(Duration.ofMinutes(1), 200_000, 64L << 20);
  }

  /**
   * Returns the smallest number of waiting records that can reach a limit of a subtask.
   *
   * @param longestUser maximum length of a user's name in characters
   */
  public long fewestThatFill(int longestUser) {
    return Math.min(maxWaitingRecords, maxWaitingBytes / WaitingRecord.bytes(longestUser));
  }

  /**
   * Returns the deadline of a record that begins to wait now: after {@link #maxWait}, rounded up so
   * that deadlines coincide.
   */
  long deadlineMillis(long nowMillis) {
    long waitMillis = maxWait.toMillis();
    long tickMillis = Math.max(1, waitMillis / 32);
    long earliestMillis = nowMillis + waitMillis;
    return earliestMillis + Math.floorMod(-earliestMillis, tickMillis);
  }
}
