package io.lastfix.analytics.counts;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.util.HashMap;
import java.util.List;
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
import org.jspecify.annotations.Nullable;

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

  /** By window, and for each {@link Grouping#by} by {@link Grouping#idOf}. */
  private transient Map<Long, List<Map<Object, Count>>> windows;

  /** The groups of the window of the last record, since the next one is likely of the same. */
  private transient @Nullable List<Map<Object, Count>> lastGroups;

  private transient long lastWindow;
  private transient int held;
  private transient long firstLastInstant;

  /** Counts by these groups. */
  public CombineOperator(Grouping grouping) {
    this.grouping = Objects.requireNonNull(grouping, "grouping");
    chainingStrategy = ChainingStrategy.ALWAYS;
  }

  private static final class Count {
    long n;
  }

  @Override
  public void open() throws Exception {
    super.open();
    windows = new HashMap<>();
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
    List<Map<Object, Count>> groups = groupsOf(WindowCount.windowOf(record.timestampMillis()));
    for (int i = 0; i < groups.size(); i++) {
      Count count =
          groups
              .get(i)
              .computeIfAbsent(grouping.idOf(record, grouping.by().get(i)), id -> new Count());
      if (count.n++ == 0) {
        held++;
      }
    }
    if (held >= MOST_HELD) {
      flush();
    }
  }

  private List<Map<Object, Count>> groupsOf(long windowMillis) {
    List<Map<Object, Count>> groups = lastGroups;
    if (groups == null || windowMillis != lastWindow) {
      groups =
          windows.computeIfAbsent(
              windowMillis, window -> grouping.by().stream().map(by -> newGroups()).toList());
      firstLastInstant = Math.min(firstLastInstant, WindowCount.lastInstantOf(windowMillis));
      lastGroups = groups;
      lastWindow = windowMillis;
    }
    return groups;
  }

  private static Map<Object, Count> newGroups() {
    return new HashMap<>();
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
    windows.forEach(
        (windowMillis, groups) -> {
          for (int i = 0; i < groups.size(); i++) {
            handOn(windowMillis, grouping.by().get(i), groups.get(i));
          }
        });
    windows.clear();
    lastGroups = null;
    held = 0;
    firstLastInstant = Long.MAX_VALUE;
  }

  private void handOn(long windowMillis, CountBy by, Map<Object, Count> counts) {
    counts.forEach(
        (id, count) ->
            output.collect(
                new StreamRecord<>(
                    new PartialCount(CountKey.of(by, Grouping.text(id)), windowMillis, count.n),
                    windowMillis)));
  }
}
