package io.lastfix.analytics.counts;

import io.lastfix.analytics.results.FlushingOperator;
import io.lastfix.store.counts.WindowCount;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Limits how often open numbers go to the database, since each is a write there. Of the open
 * numbers of one window and group it forwards the newest; the others it forwards at once.
 *
 * <p>It forwards all open numbers that it holds together, and then holds those that follow for 2 ms
 * for each number, at most 10 seconds. So a few groups are written as they come, and thousands
 * about once in their window.
 *
 * <p>It also hands them on before each checkpoint (so it has no state) and at the end, and if it
 * holds {@link #MOST_HELD}.
 */
public final class PaceOperator extends FlushingOperator<WindowCount, WindowCount>
    implements ProcessingTimeCallback {
  /** Allows 500 open numbers a second, unless the pause would be longer than the longest. */
  static final long PAUSE_MILLIS_EACH = 2;

  /** The longest pause: the length of a window. */
  static final long MOST_PAUSE_MILLIS = WindowCount.WINDOW_MILLIS;

  /** Numbers held at most; each takes some 200 bytes. */
  static final int MOST_HELD = 100_000;

  private transient Map<WindowCount.Id, WindowCount> held;
  private transient boolean isTimerSet;

  /** When the pause ends, in milliseconds since 1970. */
  private transient long nextMillis;

  @Override
  public void open() throws Exception {
    super.open();
    held = new LinkedHashMap<>();
  }

  @Override
  public void processElement(StreamRecord<WindowCount> element) {
    WindowCount count = element.getValue();
    if (count.state() != WindowCount.State.OPEN) {
      held.remove(count.id());
      output.collect(element);
      return;
    }
    held.put(count.id(), count);
    if (held.size() >= MOST_HELD) {
      flush();
    } else if (!isTimerSet) {
      setTimer();
    }
  }

  private void setTimer() {
    isTimerSet = true;
    // No caller cancels it: Flink drops it when the task ends.
    var unused =
        getProcessingTimeService()
            .registerTimer(
                Math.max(nextMillis, getProcessingTimeService().getCurrentProcessingTime()), this);
  }

  @Override
  public void onProcessingTime(long millis) {
    isTimerSet = false;
    if (getProcessingTimeService().getCurrentProcessingTime() >= nextMillis) {
      flush();
    } else if (!held.isEmpty()) {
      // A checkpoint has begun another pause meanwhile.
      setTimer();
    }
  }

  @Override
  protected void flush() {
    if (held.isEmpty()) {
      return;
    }
    nextMillis =
        getProcessingTimeService().getCurrentProcessingTime()
            + Math.min(MOST_PAUSE_MILLIS, PAUSE_MILLIS_EACH * held.size());
    held.values().forEach(count -> output.collect(new StreamRecord<>(count, count.windowMillis())));
    held.clear();
  }
}
