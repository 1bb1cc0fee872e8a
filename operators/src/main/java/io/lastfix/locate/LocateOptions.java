package io.lastfix.locate;

import java.io.Serializable;
import java.time.Duration;

/**
 * Bounds of the wait for an unknown cell.
 *
 * <p>The bounds of number and memory are each subtask's, so that its heap can be planned whatever
 * the parallelism is. There is none for a cell: a busy cell is why a catalogue that comes late
 * matters most.
 *
 * @param maxWait how long a record waits for its cell before it goes on without coordinates; 0 to
 *     24 hours. It may wait up to 1/32 longer, so that deadlines fall together; and after each
 *     restore it begins to wait anew, since its cell may have been published while the job was
 *     down.
 * @param maxWaitingRecords how many records wait at the same time in a subtask, 1 or more; if there
 *     are more, the oldest go on without coordinates
 * @param maxWaitingBytes how much memory they may take, as {@link WaitingRecord#bytes()} counts
 *     them, 1 or more
 */
public record LocateOptions(Duration maxWait, int maxWaitingRecords, long maxWaitingBytes)
    implements Serializable {
  private static final Duration LONGEST_WAIT = Duration.ofHours(24);
  private static final LocateOptions DEFAULTS =
      new LocateOptions(Duration.ofMinutes(1), 200_000, 64L << 20);

  /**
   * Checks all.
   *
   * @throws IllegalArgumentException naming the one that is out of range
   */
  public LocateOptions {
    if (maxWait.isNegative() || maxWait.compareTo(LONGEST_WAIT) > 0) {
      throw new IllegalArgumentException(
          "maxWait: expected %s to %s, found %s".formatted(Duration.ZERO, LONGEST_WAIT, maxWait));
    }
    if (maxWaitingRecords < 1) {
      throw new IllegalArgumentException(
          "maxWaitingRecords: expected 1 or more, found " + maxWaitingRecords);
    }
    if (maxWaitingBytes < 1) {
      throw new IllegalArgumentException(
          "maxWaitingBytes: expected 1 or more, found " + maxWaitingBytes);
    }
  }

  /** One minute; 200,000 records and 64 MiB in each subtask. */
  public static LocateOptions defaults() {
    return DEFAULTS;
  }

  /**
   * With fewer records than this waiting, no subtask can be full.
   *
   * @param longestUser characters of a user's name at most
   */
  public long fewestThatFill(int longestUser) {
    return Math.min(maxWaitingRecords, maxWaitingBytes / WaitingRecord.bytes(longestUser));
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
