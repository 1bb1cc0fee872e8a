package io.lastfix.analytics.time;

import io.lastfix.model.LocatedRecord;
import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.eventtime.WatermarkGenerator;
import org.apache.flink.api.common.eventtime.WatermarkOutput;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.util.clock.Clock;
import org.apache.flink.util.clock.SystemClock;

/**
 * The watermark of one partition of the topic of located records.
 *
 * <ul>
 *   <li>It follows the greatest timestamp, less the bound of disorder, and never passes the clock
 *       less that bound: one device whose clock is ahead closes no window early.
 *   <li>A window has to close if no record comes any more. So the watermark of a quiet partition
 *       advances by the clock. If its newest record was live (it came within {@link #LIVE} of its
 *       timestamp), the watermark goes to the clock's time. Otherwise the topic was replayed, and
 *       the watermark advances by the time of quiet alone.
 *   <li>A partition without a record, and a replayed one that has been quiet for long, is idle: it
 *       does not hold the others back.
 * </ul>
 *
 * <p>A watermark that comes from the clock can be ahead of records that an outage holds back. Those
 * within an hour are counted all the same; the rest is counted from History.
 */
public final class LocatedWatermarks implements WatermarkGenerator<LocatedRecord> {
  /** How far behind the clock a record may be and still count as live. */
  static final Duration LIVE = Duration.ofHours(1);

  /** A partition without a record for so long is quiet. */
  static final Duration QUIET = Duration.ofSeconds(2);

  /** A partition that has not had a record is idle after this time: its first fetch may be slow. */
  static final Duration FIRST_RECORD = Duration.ofSeconds(10);

  /** A replayed partition is idle after this time of quiet, when all its windows are closed. */
  static final Duration REPLAY_IDLE = Duration.ofMinutes(2);

  private final long boundMillis;
  private final Clock clock;
  private final long startedMillis;

  private long greatestMillis = Long.MIN_VALUE;
  private long receivedMillis;
  private boolean isLive;

  LocatedWatermarks(Duration bound, Clock clock) {
    this.boundMillis = bound.toMillis();
    this.clock = clock;
    this.startedMillis = clock.relativeTimeMillis();
  }

  /** Creates the clock where it is used; tests set their own. */
  interface ClockFactory extends Serializable {
    Clock create();
  }

  /**
   * For the source; each partition gets a watermark of its own.
   *
   * @param bound how much earlier than the newest one the next record may be, 0 or more
   */
  public static WatermarkStrategy<LocatedRecord> strategy(Duration bound) {
    return strategy(bound, SystemClock::getInstance);
  }

  static WatermarkStrategy<LocatedRecord> strategy(Duration bound, ClockFactory clock) {
    Objects.requireNonNull(bound, "bound");
    return WatermarkStrategy.<LocatedRecord>forGenerator(
            context -> new LocatedWatermarks(bound, clock.create()))
        .withTimestampAssigner((record, timestampMillis) -> record.timestampMillis());
  }

  @Override
  public void onEvent(LocatedRecord record, long timestampMillis, WatermarkOutput output) {
    greatestMillis = Math.max(greatestMillis, timestampMillis);
    receivedMillis = clock.relativeTimeMillis();
    isLive = clock.absoluteTimeMillis() - greatestMillis <= LIVE.toMillis();
  }

  @Override
  public void onPeriodicEmit(WatermarkOutput output) {
    long now = clock.relativeTimeMillis();
    if (greatestMillis == Long.MIN_VALUE) {
      if (now - startedMillis >= FIRST_RECORD.toMillis()) {
        output.markIdle();
      }
      return;
    }
    long quietMillis = now - receivedMillis;
    long reached = greatestMillis;
    if (quietMillis >= QUIET.toMillis()) {
      if (!isLive && quietMillis >= REPLAY_IDLE.toMillis()) {
        output.markIdle();
        return;
      }
      reached = isLive ? Long.MAX_VALUE : greatestMillis + quietMillis;
    }
    // Nothing at or before the watermark is expected any more, hence one less.
    output.emitWatermark(
        new Watermark(Math.min(reached, clock.absoluteTimeMillis()) - boundMillis - 1));
  }
}
