package io.lastfix.analytics.counts;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.BoundedOneInput;
import org.apache.flink.streaming.api.operators.ChainingStrategy;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;

/**
 * Counts the records of a subtask by group and window before they cross the network, so that a busy
 * cell costs as much as a quiet one.
 *
 * <p>It hands its counts on once a second, before each checkpoint (so it has no state), before a
 * watermark that closes one of its windows, at the end, and if it has {@link #MOST_HELD}.
 */
public final class CombineOperator extends AbstractStreamOperator<PartialCount>
    implements OneInputStreamOperator<LocatedRecord, PartialCount>,
        BoundedOneInput,
        ProcessingTimeCallback {
  private static final long serialVersionUID = 1;

  /** How long a count is held at most. */
  static final long HELD_MILLIS = 1_000;

  /** Counts held at most; each takes some 150 bytes. */
  static final int MOST_HELD = 100_000;

  private final Grouping grouping;

  private transient Map<Held, Count> held;
  private transient long firstLastInstant;

  /** Counts by these groups. */
  public CombineOperator(Grouping grouping) {
    this.grouping = Objects.requireNonNull(grouping, "grouping");
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  private record Held(CountBy by, String group, long windowMillis) {}

  private static final class Count {
    long n;
  }

  @Override
  public void open() throws Exception {
    super.open();
    held = new HashMap<>();
    firstLastInstant = Long.MAX_VALUE;
    scheduleFlush();
  }

  private void scheduleFlush() {
    // No caller cancels it: Flink drops it when the task ends.
    ProcessingTimeService clock = getProcessingTimeService();
    var unused = clock.registerTimer(clock.getCurrentProcessingTime() + HELD_MILLIS, this);
  }

  @Override
  public void onProcessingTime(long millis) {
    flush();
    scheduleFlush();
  }

  @Override
  public void processElement(StreamRecord<LocatedRecord> element) {
    LocatedRecord record = element.getValue();
    long windowMillis = WindowCount.windowOf(record.timestampMillis());
    for (CountBy by : grouping.by()) {
      held.computeIfAbsent(
              new Held(by, grouping.groupOf(record, by), windowMillis), key -> new Count())
          .n++;
    }
    firstLastInstant = Math.min(firstLastInstant, WindowCount.lastInstantOf(windowMillis));
    if (held.size() >= MOST_HELD) {
      flush();
    }
  }

  @Override
  public void processWatermark(Watermark watermark) throws Exception {
    if (watermark.getTimestamp() >= firstLastInstant) {
      flush();
    }
    super.processWatermark(watermark);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) {
    flush();
  }

  @Override
  public void endInput() {
    flush();
  }

  private void flush() {
    held.forEach(
        (key, count) ->
            output.collect(
                new StreamRecord<>(
                    new PartialCount(
                        CountKey.of(key.by(), key.group()), key.windowMillis(), count.n),
                    key.windowMillis())));
    held.clear();
    firstLastInstant = Long.MAX_VALUE;
  }
}
