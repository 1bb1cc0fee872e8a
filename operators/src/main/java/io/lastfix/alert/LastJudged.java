package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;

/**
 * What {@link JudgeOperator} keeps of each device.
 *
 * @param record the last judged one
 * @param timerMillis when the device's timer fires; {@link #NO_TIMER} if it has none
 */
record LastJudged(LocatedRecord record, long timerMillis) {
  static final long NO_TIMER = Long.MAX_VALUE;
}
