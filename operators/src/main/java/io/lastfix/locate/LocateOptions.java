package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;

/**
 * Bounds of the wait for an unknown cell.
 *
 * @param maxWait how long a record waits for its cell before it goes on without coordinates; 0 to
 *     24 hours. It may wait up to 1/32 longer, so that the timers of a cell fall together; and
 *     after each restore it begins to wait anew, since its cell may have been published while the
 *     job was down.
 * @param maxWaitingPerCell how many records of one (mcc, mnc, cid) wait at the same time, 0 or
 *     more; a further one goes on at once
 */
public record LocateOptions(Duration maxWait, int maxWaitingPerCell) implements Serializable {
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);
  private static final LocateOptions DEFAULTS = new LocateOptions(Duration.ofMinutes(1), 1_000);

  /**
   * Checks both.
   *
   * @throws IllegalArgumentException naming the one that is out of range
   */
  public LocateOptions {
    if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "maxWait: expected %s to %s, found %s".formatted(Duration.ZERO, LONGEST_WAIT, maxWait));
    }
    if (maxWaitingPerCell < 0) {
      throw new IllegalArgumentException(
          "maxWaitingPerCell: expected 0 or more, found " + maxWaitingPerCell);
    }
  }

  /** One minute, 1,000 records per cell. */
  public static LocateOptions defaults() {
    return DEFAULTS;
  }

  /**
   * When the wait of a record ends that begins to wait now: after {@link #maxWait}, rounded up to
   * one of few moments.
   */
  long deadlineMillis(long nowMillis) {
    long waitMillis = maxWait.toMillis();
    long tickMillis = Math.max(1, waitMillis / 32);
    long earliestMillis = nowMillis + waitMillis;
    return earliestMillis + Math.floorMod(-earliestMillis, tickMillis);
  }
}
