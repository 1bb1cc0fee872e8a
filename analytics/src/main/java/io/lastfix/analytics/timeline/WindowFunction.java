package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.WindowState;
import java.util.HashMap;
import java.util.Map;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.MapState;
import org.apache.flink.api.common.state.MapStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;

/**
 * Adds up changes by window. Event time only; the same in a stream and in batch mode.
 *
 * <p>It puts results out when the watermark moves, those that changed since. So a result that many
 * changes reach between two watermarks is put out once, and in batch mode each is put out once.
 *
 * <p><b>State per key:</b> the sums of changes since the last watermark; a {@link WindowTable}.
 * <b>Timers:</b> the next watermark after a change, the end of the next window, the time when all
 * are final.
 *
 * @param <I> a change
 * @param <O> a result
 */
abstract class WindowFunction<I, O> extends KeyedProcessFunction<String, I, O> {
  private final WindowTable.Rules rules;

  private transient MapState<Long, WindowSum> changes;
  private transient ValueState<WindowTable> tables;

  WindowFunction(
      long windowMillis, boolean isCumulative, int minimumGroup, TimelineOptions options) {
    rules =
        new WindowTable.Rules(
            windowMillis, isCumulative, minimumGroup, options.changeLateness().toMillis());
  }

  /** Returns when the change is, in epoch milliseconds. */
  abstract long millis(I change);

  /** Returns what the change adds. */
  abstract WindowSum sum(I change);

  /** Returns the result of a window. */
  abstract O result(String key, long start, WindowSum value, WindowState state);

  @Override
  public void open(OpenContext context) {
    changes =
        getRuntimeContext()
            .getMapState(
                new MapStateDescriptor<>("changes", Types.LONG, Types.POJO(WindowSum.class)));
    tables =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("windows", new WindowTableSerializer()));
  }

  @Override
  public void processElement(I change, Context context, Collector<O> out) throws Exception {
    long start = Math.floorDiv(millis(change), rules.windowMillis()) * rules.windowMillis();
    WindowSum before = changes.get(start);
    changes.put(start, before == null ? sum(change) : before.plus(sum(change)));
    // The next watermark, whatever it is.
    context.timerService().registerEventTimeTimer(context.timerService().currentWatermark() + 1);
  }

  @Override
  public void onTimer(long millis, OnTimerContext context, Collector<O> out) throws Exception {
    TimerService timers = context.timerService();
    String key = context.getCurrentKey();
    Map<Long, WindowSum> changed = new HashMap<>();
    for (Map.Entry<Long, WindowSum> change : changes.entries()) {
      changed.put(change.getKey(), change.getValue());
    }
    changes.clear();
    WindowTable before = tables.value();
    WindowTable after =
        (before == null ? WindowTable.EMPTY : before)
            .with(changed, timers.currentWatermark(), rules)
            .show(rules, (start, value, state) -> out.collect(result(key, start, value, state)));
    if (after.isOver()) {
      tables.clear();
      return;
    }
    tables.update(after);
    if (!after.rows().isEmpty()) {
      timers.registerEventTimeTimer(after.nextMillis(rules));
    }
  }
}
