package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.DeviceState;
import io.lastfix.rules.judge.Standing;

/**
 * What {@link JudgeOperator} keeps of a device, from both of its states.
 *
 * @param state what the rules need
 * @param timerMillis as of {@link LastJudged}
 */
record JudgedDevice(DeviceState state, long timerMillis) {
  /** Returns the earliest instant that is kept, in epoch milliseconds. */
  long sinceMillis() {
    long since = state.last().timestampMillis();
    for (Standing standing : state.standings().values()) {
      LocatedRecord began = standing.began();
      if (began != null) {
        since = Math.min(since, began.timestampMillis());
      }
      if (standing.alertMillis() != Standing.NONE) {
        since = Math.min(since, standing.alertMillis());
      }
    }
    return since;
  }
}
