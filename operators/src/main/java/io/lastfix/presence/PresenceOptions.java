package io.lastfix.presence;

import java.io.Serializable;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How presence is judged. The configuration checks the ranges.
 *
 * @param defaultInterval the interval of devices that never sent a heartbeat; 1 ms or more
 * @param longestSilence a partition without a message for longer than this had an outage of ours; 1
 *     ms or more, and several times the gateways' ticks
 * @param seenRefresh a device that stays gets its last sign of life stored once in this time at
 *     most; 1 ms or more
 * @param forgetAfter a device that was offline for this time is forgotten; 1 ms or more, and not on
 *     the day of its last sign of life; null: never
 * @param usageStepBytes a device's usage is published whenever it passes a multiple of this; 1 or
 *     more
 */
public record PresenceOptions(
    Duration defaultInterval,
    Duration longestSilence,
    Duration seenRefresh,
    @Nullable Duration forgetAfter,
    long usageStepBytes)
    implements Serializable {
  /** A device is offline after this number of its intervals without a sign of life. */
  public static final int INTERVALS = 3;
}
