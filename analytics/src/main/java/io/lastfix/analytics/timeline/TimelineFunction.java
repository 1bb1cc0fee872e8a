package io.lastfix.analytics.timeline;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.timeline.Stay;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.Trip;
import io.lastfix.store.timeline.TripChange;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.streaming.api.TimerService;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Turns the records of each person into presence, moves, stays and trips. Event time only; the same
 * in a stream and in batch mode.
 *
 * <p><b>Input:</b> located records keyed by user, each once. <b>Output:</b> changes of presence;
 * {@link #FLOWS}, {@link #STAYS} and {@link #TRIPS} have the others. What a record changes is put
 * out with that record, absence when the watermark reaches it. A record that arrives late takes
 * back what it refutes.
 *
 * <p>Before the first watermark the function only collects, and the first watermark does the work.
 * In batch mode that is the end of each key: a key's records are sorted and walked along once.
 *
 * <p><b>State per key:</b> a {@link Timeline}: the records of the last {@link
 * TimelineOptions#lateness()}, and what those before leave behind; with it one timer, for the next
 * absence. It is not moved by a record, but set again when it fires, and then drops what is final.
 * Nothing is kept of a user after an absence of longer than records may be late. Beside it the
 * options ({@link SavedSettings}): the function does not continue with others.
 *
 * <p>Metrics are in the group {@code timeline}: records in = {@code counted} + {@code late} (behind
 * the watermark by more than the lateness; left to the batch) + {@code unplaced} (neither cell nor
 * position).
 */
public final class TimelineFunction extends KeyedProcessFunction<String, LocatedRecord, PlaceChange>
    implements CheckpointedFunction {
  /** Moves. */
  public static final OutputTag<FlowChange> FLOWS =
      new OutputTag<>("flows", Types.POJO(FlowChange.class));

  /** Stays. */
  public static final OutputTag<StayChange> STAYS =
      new OutputTag<>("stays", Types.POJO(StayChange.class));

  /** Trips. */
  public static final OutputTag<TripChange> TRIPS =
      new OutputTag<>("trips", Types.POJO(TripChange.class));

  /** Group of the metrics. */
  static final String GROUP = "timeline";

  /** Fires at the first watermark, or in batch mode at the end of the key. */
  private static final long FIRST_WATERMARK = Long.MIN_VALUE + 1;

  private final TimelineOptions options;

  private transient SavedSettings settings;
  private transient ListState<TimelineRecord> collected;
  private transient ValueState<Timeline> timelines;
  private transient Counter counted;
  private transient Counter late;
  private transient Counter unplaced;

  /** Judges by these options. */
  public TimelineFunction(TimelineOptions options) {
    this.options = options;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    settings = new SavedSettings(options, context);
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    settings.save(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask());
  }

  @Override
  public void open(OpenContext context) {
    collected =
        getRuntimeContext()
            .getListState(new ListStateDescriptor<>("collected", Types.POJO(TimelineRecord.class)));
    timelines =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("timelines", new TimelineSerializer()));
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(GROUP);
    counted = group.counter("counted");
    late = group.counter("late");
    unplaced = group.counter("unplaced");
  }

  @Override
  public void processElement(LocatedRecord located, Context context, Collector<PlaceChange> out)
      throws Exception {
    TimelineRecord record = TimelineRecord.of(located, options.areaLevel());
    if (record == null) {
      unplaced.inc();
      return;
    }
    long watermark = context.timerService().currentWatermark();
    if (watermark == Long.MIN_VALUE) {
      collected.add(record);
      context.timerService().registerEventTimeTimer(FIRST_WATERMARK);
    } else if (record.timestampMillis() < options.horizonMillis(watermark)) {
      late.inc();
    } else {
      update(List.of(record), timeline(), context, out);
    }
  }

  @Override
  public void onTimer(long millis, OnTimerContext context, Collector<PlaceChange> out)
      throws Exception {
    Timeline timeline = timeline();
    if (millis == FIRST_WATERMARK) {
      List<TimelineRecord> records = new ArrayList<>();
      collected.get().forEach(records::add);
      collected.clear();
      update(records, timeline, context, out);
    } else if (millis == timeline.timerMillis()) {
      update(List.of(), timeline.withTimer(Timeline.NO_TIMER), context, out);
    }
  }

  private Timeline timeline() throws Exception {
    Timeline timeline = timelines.value();
    return timeline == null ? Timeline.EMPTY : timeline;
  }

  private void update(
      List<TimelineRecord> records, Timeline before, Context context, Collector<PlaceChange> out)
      throws Exception {
    // After a restore the watermark may be behind what was final before.
    long horizonMillis = before.horizonMillis(options);
    List<TimelineRecord> inTime =
        records.stream().filter(record -> record.timestampMillis() >= horizonMillis).toList();
    counted.inc(inTime.size());
    late.inc(records.size() - inTime.size());

    TimerService timers = context.timerService();
    Timeline after = before.with(inTime).at(timers.currentWatermark());
    after.changesSince(before, options, new Output(context, out));
    boolean isTimerDue = before.timerMillis() == Timeline.NO_TIMER;
    Timeline kept = isTimerDue ? after.pruned(options) : after;
    if (kept.isOver()) {
      timelines.clear();
      return;
    }
    long next = kept.nextMillis(options);
    if (next < kept.timerMillis()) {
      if (kept.timerMillis() != Timeline.NO_TIMER) {
        timers.deleteEventTimeTimer(kept.timerMillis());
      }
      timers.registerEventTimeTimer(next);
      kept = kept.withTimer(next);
    }
    timelines.update(kept);
  }

  /** Puts out the changes of one person. */
  private record Output(
      KeyedProcessFunction<String, LocatedRecord, PlaceChange>.Context context,
      Collector<PlaceChange> out)
      implements TimelineFacts.Changes {
    @Override
    public void place(PlaceChange change) {
      out.collect(change);
    }

    @Override
    public void flow(FlowChange change) {
      context.output(FLOWS, change);
    }

    @Override
    public void stay(Stay stay, boolean isDeleted) {
      context.output(STAYS, new StayChange(context.getCurrentKey(), stay, isDeleted));
    }

    @Override
    public void trip(Trip trip, boolean isDeleted) {
      context.output(TRIPS, new TripChange(context.getCurrentKey(), trip, isDeleted));
    }
  }
}
