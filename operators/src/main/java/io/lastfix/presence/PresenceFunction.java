package io.lastfix.presence;

import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import io.lastfix.model.device.Presence;
import io.lastfix.presence.PresenceInput.OutageEnded;
import io.lastfix.presence.PresenceInput.SignOfLife;
import io.lastfix.privacy.ErasureListFollower;
import java.time.Duration;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
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
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Decides whether devices are there, and counts their bytes. The result is a pure function of the
 * topic and of the erasure list: of append times, never of a clock.
 *
 * <p><b>Input:</b> signs of life by device, and outages for every key group. <b>Output:</b> each
 * change, what a device says of itself as soon as it says something else, and the last sign of life
 * of a device that stays, once in {@link PresenceOptions#seenRefresh()} at most. {@link #CHANGES}
 * has the changes only, {@link #USAGE} the usage at each step, and if a gateway asks for it by the
 * sign of a record with 0 bytes.
 *
 * <ul>
 *   <li>A device is online from its first sign of life.
 *   <li>It is offline once {@link PresenceOptions#INTERVALS} times its interval has passed without
 *       another one. Time counts from its last sign of life, or from the end of an outage that
 *       began before its time had passed; but see {@link Outages#MOST_TIMES}.
 *   <li>It is online again with its next sign of life.
 *   <li>It is forgotten once it has been offline for {@link PresenceOptions#forgetAfter()}: nothing
 *       is kept of it. Its next sign of life is that of a new device.
 *   <li>If its user is erased, its first sign of life after the last erased timestamp is that of a
 *       new device: nothing that it said before is put out again. Only the day's bytes stay, since
 *       gateways limit by them. Until then the sinks withhold it.
 * </ul>
 *
 * <p>Partitions are read at different speeds, so a sign of life may arrive before the watermark has
 * reached the deadline before it. Then the function puts out all changes at once, as the timers
 * would have done.
 *
 * <p><b>State per key:</b> a {@link DeviceState}, and a timer for its next change. A sign of life
 * does not move the timer, which is set again when it fires; only an interval that became shorter
 * sets it earlier. <b>State per subtask:</b> the {@link Outages} of the longest time that a device
 * can have. After a restore each subtask gets those of all.
 *
 * <p>Metrics are in the group {@code presence}: {@code online}, {@code offline} and {@code
 * forgotten} count changes, {@code refreshed} further updates, {@code late} signs of life dated
 * before the device's last one: they come from another partition, after the topic got more
 * partitions.
 */
public final class PresenceFunction extends KeyedProcessFunction<String, PresenceInput, Presence>
    implements CheckpointedFunction {
  /** Changes only. */
  public static final OutputTag<Presence> CHANGES =
      new OutputTag<>("changes", Types.POJO(Presence.class));

  /** The usage of devices that have passed a step, and the end of it for forgotten ones. */
  public static final OutputTag<DeviceUsage> USAGE =
      new OutputTag<>(
          "usage",
          Types.POJO(
              DeviceUsage.class,
              Map.of(
                  "device", Types.STRING,
                  // Of all these types, Flink finds out all but this one by itself.
                  "day", Types.LOCAL_DATE,
                  "bytes", Types.LONG,
                  "partition", Types.INT,
                  "offset", Types.LONG)));

  /** Group of the metrics. */
  static final String GROUP = "presence";

  /** Devices that said the same share an object, as long as they said no more than this. */
  private static final int MOST_SHARED_DESCRIPTIONS = 10_000;

  private final PresenceOptions options;
  private final ErasureListFollower.Opener erasureList;

  private transient ValueState<DeviceState> devices;
  private transient ListState<Outage> keptOutages;
  private transient Outages outages;
  private transient @Nullable ErasureListFollower erased;
  private transient Map<DeviceDescription, DeviceDescription> descriptions;
  private transient Counter online;
  private transient Counter offline;
  private transient Counter forgotten;
  private transient Counter refreshed;
  private transient Counter late;

  /**
   * Judges by these options.
   *
   * @param erasureList the list that the sinks follow, too
   */
  public PresenceFunction(PresenceOptions options, ErasureListFollower.Opener erasureList) {
    this.options = options;
    this.erasureList = erasureList;
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    keptOutages =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("outages", Types.POJO(Outage.class)));
    outages = new Outages();
    for (Outage outage : keptOutages.get()) {
      outages.add(outage);
    }
  }

  @Override
  public void open(OpenContext context) {
    devices =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("devices", new DeviceStateSerializer()));
    descriptions = new HashMap<>();
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(GROUP);
    online = group.counter("online");
    offline = group.counter("offline");
    forgotten = group.counter("forgotten");
    refreshed = group.counter("refreshed");
    late = group.counter("late");
    erased =
        erasureList.open(
            "presence-%d-forgotten"
                .formatted(getRuntimeContext().getTaskInfo().getIndexOfThisSubtask()));
  }

  @Override
  public void close() {
    if (erased != null) {
      erased.close();
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    keptOutages.update(outages.all());
  }

  @Override
  public void processElement(PresenceInput input, Context context, Collector<Presence> out)
      throws Exception {
    if (input instanceof OutageEnded ended) {
      addOutage(ended.outage(), context);
    } else if (input instanceof SignOfLife sign) {
      DeviceState state = count(sign, judge(sign, context, out), context);
      devices.update(withTimer(state, context));
    }
  }

  private void addOutage(Outage outage, Context context) {
    outages.add(outage);
    long longestInterval =
        Math.max(
            TimeUnit.SECONDS.toMillis(HeartbeatMessage.MAX_INTERVAL_SECONDS),
            options.defaultInterval().toMillis());
    outages.removeSettledBefore(
        context.timerService().currentWatermark(), PresenceOptions.INTERVALS * longestInterval);
  }

  /** Puts out what the sign changes, and returns the state after it, but for timer and usage. */
  private DeviceState judge(SignOfLife sign, Context context, Collector<Presence> out)
      throws Exception {
    DeviceState before = devices.value();
    String device = sign.device();
    long now = sign.timeMillis();
    if (before == null) {
      return first(sign, context, out);
    }
    if (now < before.seenMillis() || (!before.isOnline() && now < before.sinceMillis())) {
      late.inc();
      return before;
    }
    DeviceState state = before;
    long deadline = deadline(state);
    if (state.isOnline() && now > deadline) {
      deleteTimer(state, context);
      state = state.offlineSince(deadline);
      change(state.presence(device), context, out);
    }
    if (!state.isOnline() && now > forgetTime(state)) {
      deleteTimer(state, context);
      forget(device, state, context, out);
      return first(sign, context, out);
    }
    if (isOfErasedLife(state, sign)) {
      deleteTimer(state, context);
      return first(sign, context, out).using(state.epochDay(), state.bytes());
    }
    DeviceDescription said = state.description();
    state = said(state, sign);
    if (!state.isOnline()) {
      state = state.onlineSince(now);
      change(state.presence(device), context, out);
      return state;
    }
    state = state.seen(now);
    if (!state.description().equals(said)
        || now - state.storedSeenMillis() >= options.seenRefresh().toMillis()) {
      state = state.stored();
      refreshed.inc();
      out.collect(state.presence(device));
    }
    return state;
  }

  /** Whether the device's erasure reaches into its state, and the sign is later. */
  private boolean isOfErasedLife(DeviceState state, SignOfLife sign) throws Exception {
    return Objects.requireNonNull(erased)
        .endsBetween(
            sign.device(), Math.min(state.sinceMillis(), state.seenMillis()), sign.timeMillis());
  }

  private DeviceState first(SignOfLife sign, Context context, Collector<Presence> out) {
    DeviceState first = said(DeviceState.UNKNOWN.onlineSince(sign.timeMillis()), sign);
    change(first.presence(sign.device()), context, out);
    return first;
  }

  private DeviceState said(DeviceState state, SignOfLife sign) {
    DeviceDescription description = state.description().with(sign.sign());
    return state.saying(
        sign.sign() instanceof HeartbeatMessage.Heartbeat heartbeat
            ? heartbeat.intervalSeconds()
            : state.intervalSeconds(),
        sign.partition(),
        description.equals(state.description()) ? state.description() : shared(description));
  }

  private DeviceDescription shared(DeviceDescription description) {
    if (descriptions.size() >= MOST_SHARED_DESCRIPTIONS) {
      descriptions.clear();
    }
    DeviceDescription known = descriptions.putIfAbsent(description, description);
    return known == null ? description : known;
  }

  private DeviceState count(SignOfLife sign, DeviceState state, Context context) {
    int day = (int) Math.floorDiv(sign.timeMillis(), TimeUnit.DAYS.toMillis(1));
    if (day < state.epochDay()) {
      return state;
    }
    long before = day == state.epochDay() ? state.bytes() : 0;
    long bytes = before + sign.sign().acceptedBytes();
    boolean isAsked = sign.sign() instanceof RecordSign record && record.acceptedBytes() == 0;
    // The answer may be 0: what the gateway waits for counted for the day before.
    if (bytes / options.usageStepBytes() > before / options.usageStepBytes() || isAsked) {
      context.output(
          USAGE,
          new DeviceUsage(
              sign.device(), LocalDate.ofEpochDay(day), bytes, sign.partition(), sign.offset()));
    }
    return state.using(day, bytes);
  }

  private long patienceMillis(DeviceState state) {
    long interval =
        state.intervalSeconds() == 0
            ? options.defaultInterval().toMillis()
            : TimeUnit.SECONDS.toMillis(state.intervalSeconds());
    return PresenceOptions.INTERVALS * interval;
  }

  private long deadline(DeviceState state) {
    return outages.deadline(state.partition(), state.seenMillis(), patienceMillis(state));
  }

  /** When a silent device is forgotten; {@link DeviceState#NO_TIMER}: never. */
  private long forgetTime(DeviceState state) {
    Duration after = options.forgetAfter();
    return after == null ? DeviceState.NO_TIMER : state.sinceMillis() + after.toMillis();
  }

  /** When the device changes, unless it gives another sign of life until then. */
  private long changeTime(DeviceState state) {
    return state.isOnline() ? deadline(state) : forgetTime(state);
  }

  /** Sets the timer of a device, if it has none, or if it would fire too late. */
  private DeviceState withTimer(DeviceState state, Context context) {
    long change = changeTime(state);
    if (change >= state.timerMillis()) {
      return state;
    }
    deleteTimer(state, context);
    context.timerService().registerEventTimeTimer(change);
    return state.withTimer(change);
  }

  private static void deleteTimer(DeviceState state, Context context) {
    if (state.timerMillis() != DeviceState.NO_TIMER) {
      context.timerService().deleteEventTimeTimer(state.timerMillis());
    }
  }

  @Override
  public void onTimer(long millis, OnTimerContext context, Collector<Presence> out)
      throws Exception {
    DeviceState state = devices.value();
    if (state == null || state.timerMillis() != millis) {
      throw new IllegalStateException("Expected one timer per device, found another one");
    }
    DeviceState due = state.withTimer(DeviceState.NO_TIMER);
    long change = changeTime(due);
    if (change > millis) {
      devices.update(withTimer(due, context));
      return;
    }
    String device = context.getCurrentKey();
    if (due.isOnline()) {
      DeviceState silent = due.offlineSince(change);
      change(silent.presence(device), context, out);
      devices.update(withTimer(silent, context));
    } else {
      forget(device, due, context, out);
      devices.clear();
    }
  }

  private void forget(String device, DeviceState state, Context context, Collector<Presence> out) {
    forgotten.inc();
    Presence last =
        new Presence(
            device,
            Presence.State.FORGOTTEN,
            forgetTime(state),
            state.seenMillis(),
            state.description());
    out.collect(last);
    context.output(CHANGES, last);
    context.output(USAGE, DeviceUsage.forgotten(device));
  }

  private void change(Presence presence, Context context, Collector<Presence> out) {
    (presence.state() == Presence.State.ONLINE ? online : offline).inc();
    out.collect(presence);
    context.output(CHANGES, presence);
  }
}
