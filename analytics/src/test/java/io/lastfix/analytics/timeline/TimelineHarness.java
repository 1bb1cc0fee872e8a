package io.lastfix.analytics.timeline;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.StayChange;
import io.lastfix.store.timeline.TripChange;
import io.lastfix.store.timeline.WindowState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/** The three functions, connected as a job connects them; and what a store would hold. */
final class TimelineHarness implements AutoCloseable {
  static final Duration WINDOW = Duration.ofSeconds(10);

  private final TimelineOptions options;
  private final int minimumGroup;

  private KeyedOneInputStreamOperatorTestHarness<String, LocatedRecord, PlaceChange> timelines;
  private KeyedOneInputStreamOperatorTestHarness<String, PlaceChange, DensityCount> density;
  private KeyedOneInputStreamOperatorTestHarness<String, FlowChange, FlowCount> flows;

  /** Of stays and trips, and of the changes before they are added up. */
  final Collected collected = new Collected();

  final List<PlaceChange> places = new ArrayList<>();
  final List<StayChange> stays = new ArrayList<>();
  final List<TripChange> trips = new ArrayList<>();
  final List<DensityCount> densityCounts = new ArrayList<>();
  final List<FlowCount> flowCounts = new ArrayList<>();

  TimelineHarness(int minimumGroup) throws Exception {
    this(TimelineOptions.defaults(), minimumGroup, null, null, null);
  }

  /** Restores the state of the functions. */
  TimelineHarness(
      TimelineOptions options,
      int minimumGroup,
      @Nullable OperatorSubtaskState ofTimelines,
      @Nullable OperatorSubtaskState ofDensity,
      @Nullable OperatorSubtaskState ofFlows)
      throws Exception {
    this.options = options;
    this.minimumGroup = minimumGroup;
    timelines =
        start(
            new TimelineFunction(options),
            LocatedRecord::user,
            Types.POJO(PlaceChange.class),
            ofTimelines);
    density = start(density(), DensityFunction::key, Types.POJO(DensityCount.class), ofDensity);
    flows = start(flows(), FlowFunction::key, Types.POJO(FlowCount.class), ofFlows);
  }

  OperatorSubtaskState timelinesState() throws Exception {
    return timelines.snapshot(1, 1);
  }

  OperatorSubtaskState densityState() throws Exception {
    return density.snapshot(1, 1);
  }

  OperatorSubtaskState flowsState() throws Exception {
    return flows.snapshot(1, 1);
  }

  private DensityFunction density() {
    return new DensityFunction(WINDOW, minimumGroup, options);
  }

  private FlowFunction flows() {
    return new FlowFunction(minimumGroup, options);
  }

  private static <I, O> KeyedOneInputStreamOperatorTestHarness<String, I, O> start(
      KeyedProcessFunction<String, I, O> function,
      KeySelector<I, String> key,
      TypeInformation<O> type,
      @Nullable OperatorSubtaskState state)
      throws Exception {
    var harness =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(function), key, Types.STRING);
    harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
    return harness;
  }

  TimelineHarness record(LocatedRecord record) throws Exception {
    timelines.processElement(record, record.timestampMillis());
    forward();
    return this;
  }

  /** Each function puts out what its timers do before the watermark reaches the next one. */
  TimelineHarness watermark(long watermark) throws Exception {
    timelines.processWatermark(new Watermark(watermark));
    forward();
    density.processWatermark(new Watermark(watermark));
    flows.processWatermark(new Watermark(watermark));
    drain(density, densityCounts::add);
    drain(flows, flowCounts::add);
    return this;
  }

  /** Takes a snapshot, and restores all from it. The watermark begins anew. */
  TimelineHarness restore() throws Exception {
    OperatorSubtaskState ofTimelines = timelinesState();
    OperatorSubtaskState ofDensity = densityState();
    OperatorSubtaskState ofFlows = flowsState();
    close();
    timelines =
        start(
            new TimelineFunction(options),
            LocatedRecord::user,
            Types.POJO(PlaceChange.class),
            ofTimelines);
    density = start(density(), DensityFunction::key, Types.POJO(DensityCount.class), ofDensity);
    flows = start(flows(), FlowFunction::key, Types.POJO(FlowCount.class), ofFlows);
    return this;
  }

  private void forward() throws Exception {
    List<PlaceChange> changes = new ArrayList<>();
    drain(timelines, changes::add);
    for (PlaceChange change : changes) {
      places.add(change);
      collected.place(change);
      density.processElement(change, change.atMillis());
    }
    for (FlowChange change : side(TimelineFunction.FLOWS)) {
      collected.flow(change);
      flows.processElement(change, change.hourMillis());
    }
    for (StayChange change : side(TimelineFunction.STAYS)) {
      stays.add(change);
      collected.of(change.user()).stay(change.stay(), change.isDeleted());
    }
    for (TripChange change : side(TimelineFunction.TRIPS)) {
      trips.add(change);
      collected.of(change.user()).trip(change.trip(), change.isDeleted());
    }
  }

  private <T> List<T> side(OutputTag<T> tag) {
    Queue<StreamRecord<T>> found = timelines.getSideOutput(tag);
    if (found == null) {
      return List.of();
    }
    List<T> values = found.stream().map(StreamRecord::getValue).toList();
    found.clear();
    return values;
  }

  private static <O> void drain(
      KeyedOneInputStreamOperatorTestHarness<String, ?, O> harness, Consumer<O> target) {
    harness.extractOutputStreamRecords().forEach(record -> target.accept(record.getValue()));
    harness.getOutput().clear();
  }

  /** Of all three functions. */
  int stateEntries() {
    return timelines.numKeyedStateEntries()
        + density.numKeyedStateEntries()
        + flows.numKeyedStateEntries();
  }

  int timelineTimers() {
    return timelines.numEventTimeTimers();
  }

  /** What a store holds of density. */
  Map<String, Integer> storedDensity() {
    Map<String, Integer> stored = new TreeMap<>();
    for (DensityCount count : densityCounts) {
      String id = count.by().text() + " " + count.place() + " " + count.windowMillis();
      store(stored, id, count.devices(), count.state());
    }
    return stored;
  }

  /** What a store holds of flows. */
  Map<String, String> storedFlows() {
    Map<String, String> stored = new TreeMap<>();
    for (FlowCount count : flowCounts) {
      String id =
          String.join(" ", count.by().text(), count.from(), count.to(), "" + count.hourMillis());
      store(stored, id, count.moves() + "/" + count.devices(), count.state());
    }
    return stored;
  }

  /** The states of the results that a store holds. */
  List<WindowState> storedStates() {
    Map<String, WindowState> stored = new TreeMap<>();
    densityCounts.forEach(
        count ->
            stored.put(
                count.by() + " " + count.place() + " " + count.windowMillis(), count.state()));
    flowCounts.forEach(
        count ->
            stored.put(
                String.join(
                    " ", "" + count.by(), count.from(), count.to(), "" + count.hourMillis()),
                count.state()));
    return stored.values().stream()
        .filter(state -> state != WindowState.DELETED)
        .distinct()
        .toList();
  }

  private static <V> void store(Map<String, V> stored, String id, V value, WindowState state) {
    if (state == WindowState.DELETED) {
      Objects.requireNonNull(stored.remove(id), "deleted what is not stored");
    } else {
      stored.put(id, value);
    }
  }

  @Override
  public void close() {
    try {
      timelines.close();
      density.close();
      flows.close();
    } catch (Exception e) {
      throw new IllegalStateException("Closing a function failed", e);
    }
  }
}
