package io.lastfix.analytics.counts;

import io.lastfix.analytics.results.FlushingOperator;
import io.lastfix.model.LocatedRecord;
import io.lastfix.store.counts.CountBy;
import io.lastfix.store.counts.WindowCount;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.operators.ProcessingTimeService.ProcessingTimeCallback;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.ProcessingTimeService;
import org.jspecify.annotations.Nullable;

/**
 * Counts the records of a subtask by group and window before they cross the network, so that a busy
 * cell costs as much as a quiet one.
 *
 * <p>It forwards its counts once a second, before each checkpoint (so it has no state), at the end,
 * and if it has {@link #MOST_HELD}; those of a window before a watermark that closes it. While it
 * catches up, it forwards them every ten seconds. Old windows are rarely watched, and each partial
 * number that is not forwarded saves a message and a write.
 */
public final class CombineOperator extends FlushingOperator<LocatedRecord, PartialCount>
    implements ProcessingTimeCallback {
  /** How long a count is held at most if records are live. */
  static final long HELD_MILLIS = 1_000;

  /**
   * How long a count is held at most while the newest record is older than {@link #LIVE_MILLIS}.
   */
  static final long CATCH_UP_HELD_MILLIS = 10_000;

  /** How far behind the clock the newest record may be and still count as live. */
  static final long LIVE_MILLIS = 300_000;

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
  private transient long newestMillis;
  private transient long flushedMillis;

  /** Counts by these groups. */
  public CombineOperator(Grouping grouping) {
    this.grouping = grouping;
  }

  private static final class Count {
    long n;
  }

  @Override
  public void open() throws Exception {
    super.open();
    windows = new HashMap<>();
    firstLastInstant = Long.MAX_VALUE;
    newestMillis = Long.MIN_VALUE;
    flushedMillis = getProcessingTimeService().getCurrentProcessingTime();
    scheduleFlush();
  }

  private void scheduleFlush() {
    // No caller cancels it: Flink drops it when the task ends.
    ProcessingTimeService clock = getProcessingTimeService();
    var unused = clock.registerTimer(clock.getCurrentProcessingTime() + HELD_MILLIS, this);
  }

  @Override
  public void onProcessingTime(long millis) {
    // Each subtask judges by its own records. An early flush costs writes, a late one nine seconds.
    if (newestMillis >= millis - LIVE_MILLIS || millis - flushedMillis >= CATCH_UP_HELD_MILLIS) {
      flush();
      flushedMillis = millis;
    }
    scheduleFlush();
  }

  @Override
  public void processElement(StreamRecord<LocatedRecord> element) {
    LocatedRecord record = element.getValue();
    newestMillis = Math.max(newestMillis, record.timestampMillis());
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
              windowMillis,
              window ->
                  grouping.by().stream().<Map<Object, Count>>map(by -> new HashMap<>()).toList());
      firstLastInstant = Math.min(firstLastInstant, WindowCount.lastInstantOf(windowMillis));
      lastGroups = groups;
      lastWindow = windowMillis;
    }
    return groups;
  }

  @Override
  public void processWatermark(Watermark watermark) throws Exception {
    if (watermark.getTimestamp() >= firstLastInstant) {
      flushUntil(watermark.getTimestamp());
    }
    super.processWatermark(watermark);
  }

  @Override
  protected void flush() {
    flushUntil(Long.MAX_VALUE);
  }

  /** Forwards the windows that end at that time or before. */
  private void flushUntil(long millis) {
    firstLastInstant = Long.MAX_VALUE;
    for (Iterator<Map.Entry<Long, List<Map<Object, Count>>>> each = windows.entrySet().iterator();
        each.hasNext(); ) {
      Map.Entry<Long, List<Map<Object, Count>>> window = each.next();
      long lastInstant = WindowCount.lastInstantOf(window.getKey());
      if (lastInstant > millis) {
        firstLastInstant = Math.min(firstLastInstant, lastInstant);
        continue;
      }
      List<Map<Object, Count>> groups = window.getValue();
      for (int i = 0; i < groups.size(); i++) {
        forward(window.getKey(), grouping.by().get(i), groups.get(i));
        held -= groups.get(i).size();
      }
      each.remove();
    }
    lastGroups = null;
  }

  private void forward(long windowMillis, CountBy by, Map<Object, Count> counts) {
    counts.forEach(
        (id, count) ->
            output.collect(
                new StreamRecord<>(
                    new PartialCount(CountKey.of(by, Grouping.text(id)), windowMillis, count.n),
                    windowMillis)));
  }
}
