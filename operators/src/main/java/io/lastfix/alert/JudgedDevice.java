package io.lastfix.alert;

import io.lastfix.model.LocatedRecord;
import io.lastfix.rules.judge.DeviceState;
import io.lastfix.rules.judge.Progress;
import io.lastfix.rules.judge.ReportedSilence;
import io.lastfix.rules.judge.Silence;
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
    LocatedRecord last = state.last();
    Silence offline = state.offline();
    long since = last == null ? Long.MAX_VALUE : last.timestampMillis();
    if (offline != null) {
      since = Math.min(since, Math.min(offline.atMillis(), offline.sinceMillis()));
    }
    for (Standing standing : state.standings().values()) {
      LocatedRecord began = standing.began();
      if (began != null) {
        since = Math.min(since, began.timestampMillis());
      }
      if (standing.alertMillis() != Standing.NONE) {
        since = Math.min(since, standing.alertMillis());
      }
      ReportedSilence reported = standing.reported();
      if (reported != null) {
        since = Math.min(since, reported.atMillis());
      }
      Progress progress = standing.progress();
      if (progress != null) {
        for (long start : progress.starts()) {
          since = Math.min(since, start);
        }
      }
    }
    return since;
  }
}
