package io.lastfix.analytics.counts;

import io.lastfix.analytics.distinct.DistinctFunction;
import io.lastfix.store.counts.WindowCount;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds partial counts up, keyed by group, in a stream and in a bounded job.
 *
 * <p>It publishes a window's number with each partial count, and once more when event time passes
 * the window's end. A late partial count rewrites the number of its window for as long as {@link
 * DistinctFunction} lets late records pass.
 *
 * <p>Before the first watermark nothing is known about time: it only adds up, and the timers
 * publish. In a bounded job that is always so until a group's last record, so each number is
 * published once.
 */
public final class CountFunction extends KeyedProcessFunction<String, PartialCount, WindowCount> {
  private static final long LATENESS_MILLIS = DistinctFunction.LATENESS.toMillis();

  /** The time of a count of History, in milliseconds since 1970; 0: this counts a stream. */
  private final long runMillis;

  private transient ValueState<RecentCounts> recent;

  private CountFunction(long runMillis) {
    this.runMillis = runMillis;
  }

  /** Counts a stream. */
  public static CountFunction ofStream() {
    return new CountFunction(0);
  }

  /**
   * Counts History.
   *
   * @param runMillis time of the count, in milliseconds since 1970: the {@code rev} of its numbers
   */
  public static CountFunction ofHistory(long runMillis) {
    return new CountFunction(runMillis);
  }

  @Override
  public void open(OpenContext context) {
    recent =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("counts", new RecentCountsSerializer()));
  }

  @Override
  public void processElement(PartialCount count, Context context, Collector<WindowCount> out)
      throws Exception {
    TimerService time = context.timerService();
    RecentCounts counts = recent.value();
    boolean isNew = counts == null;
    if (counts == null) {
      counts = new RecentCounts();
    }
    int index = counts.add(count.windowMillis(), count.n());
    long watermark = time.currentWatermark();
    long lastInstant = WindowCount.lastInstantOf(count.windowMillis());
    boolean isClosed = lastInstant <= watermark;
    if (!isClosed) {
      time.registerEventTimeTimer(lastInstant);
    }
    if (watermark != Long.MIN_VALUE) {
      out.collect(number(counts, index, isClosed, context.getCurrentKey()));
    }
    if (isNew) {
      time.registerEventTimeTimer(end(count.windowMillis()));
    }
    recent.update(counts);
  }

  @Override
  public void onTimer(long millis, OnTimerContext context, Collector<WindowCount> out)
      throws Exception {
    RecentCounts counts = recent.value();
    if (counts == null) {
      return;
    }
    int index = counts.indexOf(WindowCount.windowOf(millis));
    if (index >= 0 && WindowCount.lastInstantOf(counts.window(index)) == millis) {
      out.collect(number(counts, index, true, context.getCurrentKey()));
    }
    long newest = counts.window(counts.size() - 1);
    if (end(newest) <= millis) {
      recent.clear();
      return;
    }
    if (millis % WindowCount.WINDOW_MILLIS == 0) {
      counts.removeBefore(millis - LATENESS_MILLIS);
      // At the end of all input Flink would drop the timer, with a warning for each group.
      if (context.timerService().currentWatermark() < Long.MAX_VALUE) {
        context.timerService().registerEventTimeTimer(end(newest));
      }
    }
    recent.update(counts);
  }

  private WindowCount number(RecentCounts counts, int index, boolean isClosed, String key) {
    WindowCount.State state = isClosed ? WindowCount.State.CLOSED : WindowCount.State.OPEN;
    long rev = counts.nextRev(index);
    return new WindowCount(
        counts.window(index),
        CountKey.by(key),
        CountKey.group(key),
        counts.number(index),
        runMillis == 0 ? state : WindowCount.State.BATCH,
        runMillis == 0 ? rev : runMillis);
  }

  /** Returns the first watermark at which no record of the window can pass any more. */
  private static long end(long windowMillis) {
    return windowMillis + WindowCount.WINDOW_MILLIS + LATENESS_MILLIS;
  }
}
