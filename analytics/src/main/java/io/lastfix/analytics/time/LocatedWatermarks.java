package io.lastfix.analytics.time;

import io.lastfix.model.located.Arrival;
import java.time.Duration;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.util.clock.Clock;

/**
 * The watermark of one partition of the topic of located records.
 *
 * <ul>
 *   <li>It follows the greatest timestamp, less the bound of disorder, and never passes the clock
 *       less that bound: one device whose clock is ahead closes no window early.
 *   <li>A window has to close if no record comes any more. So the watermark of a quiet partition
 *       advances without records, but only while the partition is known to be read to its end. If
 *       its newest record was live (it came within {@link #LIVE} of its timestamp), the watermark
 *       goes to the clock's time. Otherwise the topic was replayed, and the watermark advances by
 *       the time of quiet alone.
 *   <li>A partition that is read to its end does not hold the others back if it has had no record,
 *       or is replayed and has been quiet for {@link #SETTLED}: it is idle.
 *   <li>A partition whose newest records come from a device with a slow clock does not hold the
 *       others back either: see {@link #hasSlowClock}.
 *   <li>A restored partition that was live continues from the checkpoint. It advances by the time
 *       of quiet first, and goes to the clock's time after {@link #SETTLED}: the job that writes
 *       the topic may have been restarted as well, and may have records to catch up on.
 * </ul>
 *
 * <p>A watermark that comes from the clock can be ahead of records that an outage before the topic
 * holds back. Those within an hour are counted all the same; the rest is counted from History.
 *
 * <p>All calls come from the task's thread.
 */
public final class LocatedWatermarks {
  /** How far behind the clock a record may be and still count as live. */
  static final Duration LIVE = Duration.ofHours(1);

  /** A partition without a record that is newer than those before, for so long, is quiet. */
  static final Duration QUIET = Duration.ofSeconds(2);

  /** After this time of quiet a replayed partition is idle, and a restored one is live again. */
  static final Duration SETTLED = Duration.ofMinutes(2);

  /**
   * For how long a partition counts as read to its end after a fetch has found that. A fetch of a
   * quiet topic takes ten seconds. A task that is held back sees no fetch, or an old one.
   */
  static final Duration END_IS_KNOWN = Duration.ofSeconds(30);

  /** An age stays the same if it changes by at most this part of the time between arrivals. */
  private static final long SAME_AGE = 8;

  /** If it changes by more than this part, the next records are not of that clock. */
  private static final long OTHER_AGE = 2;

  private final long boundMillis;
  private final Clock clock;

  private long greatestMillis;
  private long reachedMillis;

  private boolean hasSlowClock;

  /** The first arrival of the two minutes whose least age is looked for; UNKNOWN: there is none. */
  private long begunMillis = Arrival.UNKNOWN;

  private long leastAge;

  /** The first arrival of the two minutes before those; UNKNOWN: there is none. */
  private long formerMillis = Arrival.UNKNOWN;

  private long formerLeastAge;
  private boolean isDoubtful;

  private boolean isLive;

  /** Whether no record has come since the partition was restored. */
  private boolean isRestored;

  private long quietSinceMillis;
  private long quietMillis;
  private boolean isAtEnd;
  private long endSeenMillis;
  private boolean isIdle;
  private boolean isMarkedIdle;

  /**
   * Creates the watermark of a partition that is about to be read.
   *
   * @param bound how much earlier than the newest one the next record may be, 0 or more
   * @param from of the checkpoint
   */
  public LocatedWatermarks(Duration bound, Clock clock, PartitionTime from) {
    this.boundMillis = bound.toMillis();
    this.clock = clock;
    // It may be of a clock that was ahead.
    long reached = Math.min(from.reachedMillis(), clock.absoluteTimeMillis());
    this.greatestMillis = reached;
    this.reachedMillis = reached;
    this.isLive = from.isLive();
    this.isRestored = true;
    this.quietSinceMillis = clock.relativeTimeMillis();
  }

  /**
   * Takes in a record of the partition.
   *
   * @param arrivalMillis when its message came to the location topic, in epoch milliseconds; {@link
   *     Arrival#UNKNOWN} if the message does not say it
   */
  public void onRecord(long timestampMillis, long arrivalMillis) {
    long now = clock.absoluteTimeMillis();
    // Older ones, as of a device whose clock is slow, say nothing about what is still to come.
    if (timestampMillis > greatestMillis) {
      greatestMillis = timestampMillis;
      quietSinceMillis = clock.relativeTimeMillis();
      if (now - timestampMillis <= LIVE.toMillis()) {
        // Whatever the message says, or if it says nothing: it has arrived by now.
        judgeClock(timestampMillis, now);
      } else if (arrivalMillis != Arrival.UNKNOWN) {
        judgeClock(timestampMillis, arrivalMillis);
      }
    }
    isLive = now - greatestMillis <= LIVE.toMillis();
    isRestored = false;
  }

  /**
   * Judges by arrivals, not by when the job reads: so a job that catches up, or begins late, comes
   * to the same result. A live record's arrival is now at the latest. A record that was live when
   * it arrived tells that the partition is of a right clock. Of the others, the least age of each
   * two minutes of arrivals is compared: delays on the way only add to an age, so the least is that
   * of the clock. It stays the same if the clock is slow. In a replay it changes.
   */
  private void judgeClock(long timestampMillis, long arrivalMillis) {
    long age = arrivalMillis - timestampMillis;
    if (age <= LIVE.toMillis()) {
      hasSlowClock = false;
      begunMillis = Arrival.UNKNOWN;
      formerMillis = Arrival.UNKNOWN;
      return;
    }
    // Those of several partitions of the location topic arrive in any order; one that was long
    // before is read once more.
    if (begunMillis == Arrival.UNKNOWN || begunMillis - arrivalMillis > SETTLED.toMillis()) {
      formerMillis = Arrival.UNKNOWN;
    } else if (arrivalMillis - begunMillis < SETTLED.toMillis()) {
      leastAge = Math.min(leastAge, age);
      return;
    } else {
      compareAges();
      formerMillis = begunMillis;
      formerLeastAge = leastAge;
    }
    begunMillis = arrivalMillis;
    leastAge = age;
  }

  private void compareAges() {
    if (formerMillis == Arrival.UNKNOWN) {
      return;
    }
    long elapsed = begunMillis - formerMillis;
    long change = Math.abs(leastAge - formerLeastAge);
    if (change <= elapsed / SAME_AGE) {
      hasSlowClock = true;
      isDoubtful = false;
    } else if (change > elapsed / OTHER_AGE || isDoubtful) {
      hasSlowClock = false;
      isDoubtful = false;
    } else {
      // One long delay says nothing. Two in a row may.
      isDoubtful = true;
    }
  }

  /**
   * Takes in what a fetch has found, after all its records.
   *
   * @param isAtEnd whether the partition had no further record
   * @param fetchedMillis the clock's relative time of the fetch
   */
  public void onFetched(boolean isAtEnd, long fetchedMillis) {
    this.isAtEnd = isAtEnd;
    this.endSeenMillis = fetchedMillis;
  }

  /** Decides whether the partition is idle. To be called before {@link #mark}. */
  public void updateIdleness() {
    long now = clock.relativeTimeMillis();
    boolean hasNothingToRead = isAtEnd && now - endSeenMillis <= END_IS_KNOWN.toMillis();
    if (!hasNothingToRead) {
      // Time in which the partition may have unread records is no quiet.
      quietSinceMillis = now;
    }
    quietMillis = now - quietSinceMillis;
    isIdle = hasNothingToRead && (!hasRecord() || (!isLive && quietMillis >= SETTLED.toMillis()));
  }

  /**
   * Marks the partition as idle or active. To be called for all partitions before {@link #emit}:
   * one that is no longer idle must hold back the watermark of this time already.
   *
   * @param isPassedOver whether it does not hold the others back although it is not idle
   */
  public void mark(WatermarkOutput output, boolean isPassedOver) {
    boolean wasMarkedIdle = isMarkedIdle;
    isMarkedIdle = isIdle || isPassedOver;
    if (isMarkedIdle) {
      output.markIdle();
    } else if (wasMarkedIdle) {
      output.markActive();
    }
  }

  /** Whether the partition has nothing to wait for. */
  public boolean isIdle() {
    return isIdle;
  }

  /**
   * Whether the newest records are of a slow clock: each was more than {@link #LIVE} old when it
   * arrived, and the least age of two minutes of arrivals is that of the two minutes before.
   * Windows of others must not wait for such a partition. If there is no other one, its records
   * decide.
   */
  public boolean hasSlowClock() {
    return hasSlowClock && !isIdle;
  }

  /** Emits the watermark of a partition that is not marked as idle. */
  public void emit(WatermarkOutput output) {
    if (isMarkedIdle || !hasRecord()) {
      return;
    }
    long reached = greatestMillis;
    if (quietMillis >= QUIET.toMillis()) {
      boolean isOfTheClock = isLive && (!isRestored || quietMillis >= SETTLED.toMillis());
      reached = isOfTheClock ? Long.MAX_VALUE : greatestMillis + quietMillis;
    }
    reachedMillis = Math.max(reachedMillis, Math.min(reached, clock.absoluteTimeMillis()));
    // Nothing at or before the watermark is expected any more, hence one less.
    output.emitWatermark(new Watermark(reachedMillis - boundMillis - 1));
  }

  private boolean hasRecord() {
    return greatestMillis != Long.MIN_VALUE;
  }

  /** For a checkpoint. */
  public PartitionTime time() {
    return new PartitionTime(Math.max(reachedMillis, greatestMillis), isLive);
  }
}
