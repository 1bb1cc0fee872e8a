package io.lastfix.analytics.timeline;

import io.lastfix.analytics.area.Areas;
import io.lastfix.store.connect.ArgumentChecks;
import java.io.Serializable;
import java.time.Duration;

/**
 * How a person's records become visits. All but {@code lateness} change the results.
 *
 * @param absence a person without a record for longer than this is absent; 1 ms or more
 * @param pingPong a return to a place within this time of leaving it is no movement; 0 to {@code
 *     absence}
 * @param minimumStay a visit of at least this length is a stay; 1 ms or more
 * @param lateness a record may be behind the watermark by at most this; 0 or more
 * @param areaLevel the level of the S2 cells that are areas; 0 to 30
 */
public record TimelineOptions(
    Duration absence, Duration pingPong, Duration minimumStay, Duration lateness, int areaLevel)
    implements Serializable {
  public TimelineOptions {
    ArgumentChecks.atLeast("areaLevel", areaLevel, 0);
    ArgumentChecks.atMost("areaLevel", areaLevel, Areas.MAX_LEVEL);
  }

  /** 30 minutes, 2 minutes, 10 minutes, 1 hour, level 13 (about 1 km across). */
  public static TimelineOptions defaults() {
    return new TimelineOptions(
        Duration.ofMinutes(30),
        Duration.ofMinutes(2),
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        Areas.DEFAULT_LEVEL);
  }

  /**
   * Returns how far behind the watermark a change of density or flows may be: a late record moves
   * what happened up to the ping-pong time before it.
   */
  public Duration changeLateness() {
    return lateness.plus(pingPong);
  }

  /** Returns the time before which no more records count, at a watermark. */
  long horizonMillis(long watermark) {
    long latenessMillis = lateness.toMillis();
    return watermark < Long.MIN_VALUE + latenessMillis
        ? Long.MIN_VALUE
        : watermark - latenessMillis;
  }
}
