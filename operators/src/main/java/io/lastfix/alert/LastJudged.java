package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.Silence;
import org.jspecify.annotations.Nullable;

/**
 * What {@link JudgeOperator} keeps of each device.
 *
 * @param record the last judged one; null if there was none
 * @param arrivedMillis of the silence since it, as in {@link Silence}; without a record any number
 * @param offline null if the device is not offline
 * @param timerMillis when the device's timer fires; {@link #NO_TIMER} if it has none
 */
record LastJudged(
    @Nullable LocatedRecord record,
    long arrivedMillis,
    @Nullable Silence offline,
    long timerMillis) {
  static final long NO_TIMER = Long.MAX_VALUE;
}
