package io.lastfix.alert;

import io.lastfix.harness.ObservedEnvironment;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.alert.Alert;
import io.lastfix.model.device.DeviceDescription;
import io.lastfix.model.device.Presence;
import io.lastfix.rules.judge.JudgeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeutils.base.StringSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.contrib.streaming.state.EmbeddedRocksDBStateBackend;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.runtime.state.KeyedStateBackend;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.runtime.tasks.mailbox.Mail;
import org.apache.flink.streaming.runtime.tasks.mailbox.TaskMailbox;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link JudgeOperator} with rules and an erasure list in memory. Seconds count from {@link
 * #T}. Mails run only when the test wants it.
 */
final class JudgeHarness implements AutoCloseable {
  /** 2026-11-20T12:00:00Z. */
  static final long T = 1_795_176_000_000L;

  static final Duration FORGET_AFTER = Duration.ofHours(1);

  /** The machine's clock, in seconds; it does not advance. */
  static final long CLOCK = 100_000;

  /** The center of the fence of most tests. */
  static final Position AIRPORT = new Position(-122.388, 37.6155);

  /** 17 km from {@link #AIRPORT}. */
  static final Position CITY = new Position(-122.42, 37.77);

  private static final JudgeOptions OPTIONS = new JudgeOptions(0, FORGET_AFTER);

  private final boolean isOnRocksDb;
  private final int parallelism;
  private final int subtask;
  private final TestRules rules;
  private final TestUpstream upstream = new TestUpstream();
  private final LiveErasures erasures = new LiveErasures();
  private final List<Alert> alerts = new ArrayList<>();
  private final Map<String, Long> countersOfFormerOperators = new HashMap<>();
  private Map<String, Metric> metrics = Map.of();
  private AbstractStreamOperatorTestHarness<Alert> harness;

  JudgeHarness(TestRules rules) throws Exception {
    this(rules, false, null);
  }

  JudgeHarness(TestRules rules, boolean isOnRocksDb, @Nullable OperatorSubtaskState restored)
      throws Exception {
    this(rules, isOnRocksDb, restored, 1, 0);
  }

  /**
   * Starts a subtask of the operator, and runs its first mail.
   *
   * @param restored its own part of the state
   * @param subtask its index, from 0
   */
  JudgeHarness(
      TestRules rules,
      boolean isOnRocksDb,
      @Nullable OperatorSubtaskState restored,
      int parallelism,
      int subtask)
      throws Exception {
    this.rules = rules;
    this.isOnRocksDb = isOnRocksDb;
    this.parallelism = parallelism;
    this.subtask = subtask;
    harness = start(restored);
    runMails();
  }

  private AbstractStreamOperatorTestHarness<Alert> start(@Nullable OperatorSubtaskState restored)
      throws Exception {
    metrics = new HashMap<>();
    AbstractStreamOperatorTestHarness<Alert> started =
        new AbstractStreamOperatorTestHarness<>(
            new JudgeOperator(OPTIONS, upstream, rules, erasures),
            ObservedEnvironment.of("rules", metrics, parallelism, subtask));
    KeySelector<LocatedRecord, String> ofRecord = LocatedRecord::user;
    KeySelector<Presence, String> ofPresence = Presence::device;
    StreamConfig config = started.getStreamConfig();
    config.setStatePartitioner(0, ofRecord);
    config.setStatePartitioner(1, ofPresence);
    config.setStateKeySerializer(StringSerializer.INSTANCE);
    config.serializeAllConfigs();
    started.setStateBackend(stateBackend());
    started.setProcessingTime(T + CLOCK * 1_000);
    started.setup(new AlertSerializer());
    if (restored == null) {
      started.initializeEmptyState();
    } else {
      started.initializeState(restored);
    }
    started.open();
    return started;
  }

  private StateBackend stateBackend() {
    return isOnRocksDb ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
  }

  /** A record with a position of its own, of unknown accuracy. */
  static LocatedRecord recordAt(String user, long seconds, Position position) {
    return new LocatedRecord(
        user,
        new Place.AtFix(new Fix(position, PositionSource.GNSS)),
        T + seconds * 1_000,
        null,
        false);
  }

  JudgeHarness record(String user, long seconds, Position position) throws Exception {
    return record(recordAt(user, seconds, position));
  }

  /** Whether the records of a user come to this subtask. */
  boolean has(String user) {
    return KeyGroupRangeAssignment.assignKeyToParallelOperator(
            user, ObservedEnvironment.MAX_PARALLELISM, parallelism)
        == subtask;
  }

  private JudgeHarness record(LocatedRecord record) throws Exception {
    StreamRecord<LocatedRecord> element = new StreamRecord<>(record, record.timestampMillis());
    operator().setKeyContextElement1(element);
    operator().processElement1(element);
    return this;
  }

  private JudgeOperator operator() {
    return (JudgeOperator) harness.getOperator();
  }

  /** A device goes offline. */
  JudgeHarness offline(String device, long seenSeconds, long sinceSeconds) throws Exception {
    return presence(device, Presence.State.OFFLINE, seenSeconds, sinceSeconds);
  }

  /** A device gives a sign of life. */
  JudgeHarness online(String device, long seconds) throws Exception {
    return presence(device, Presence.State.ONLINE, seconds, seconds);
  }

  /** Nothing is kept of a device any more. */
  JudgeHarness forgotten(String device) throws Exception {
    return presence(device, Presence.State.FORGOTTEN, -T / 1_000, -T / 1_000);
  }

  private JudgeHarness presence(String device, Presence.State state, long seen, long since)
      throws Exception {
    StreamRecord<Presence> element =
        new StreamRecord<>(
            new Presence(
                device, state, T + since * 1_000, T + seen * 1_000, DeviceDescription.NONE));
    operator().setKeyContextElement2(element);
    operator().processElement2(element);
    return this;
  }

  JudgeHarness unlocated(String user, long seconds) throws Exception {
    return record(new LocatedRecord(user, new CellId(310, 260, 7, 1), T + seconds * 1_000, null));
  }

  JudgeHarness watermark(long seconds) throws Exception {
    operator().processWatermark1(new Watermark(T + seconds * 1_000));
    return this;
  }

  /** All that devices have sent up to that second has come; at first, all has. */
  JudgeHarness upstreamUntil(long seconds) {
    upstream.until(T + seconds * 1_000);
    return this;
  }

  /** A watermark of the changes of presence. */
  JudgeHarness watermarkOfPresence(long seconds) throws Exception {
    operator().processWatermark2(new Watermark(T + seconds * 1_000));
    return this;
  }

  /** Runs all mails that wait; throws what one throws. */
  JudgeHarness runMails() throws Exception {
    for (Optional<Mail> mail = nextMail(); mail.isPresent(); mail = nextMail()) {
      mail.get().run();
    }
    return this;
  }

  /** Runs the next mail. */
  JudgeHarness runMail() throws Exception {
    nextMail().orElseThrow().run();
    return this;
  }

  private Optional<Mail> nextMail() {
    return harness.getTaskMailbox().tryTake(TaskMailbox.MIN_PRIORITY);
  }

  int waitingMails() {
    return harness.getTaskMailbox().size();
  }

  /** Erases a user up to that timestamp, and waits until the operator uses that. */
  JudgeHarness erase(String user, long untilSeconds) {
    erasures.add(user, T + untilSeconds * 1_000);
    return this;
  }

  OperatorSubtaskState snapshot() throws Exception {
    return harness.snapshot(1, 1);
  }

  /** Returns the state of all subtasks. */
  static OperatorSubtaskState all(OperatorSubtaskState... subtasks) throws Exception {
    return part(AbstractStreamOperatorTestHarness.repackageState(subtasks), subtasks.length, 1, 0);
  }

  /** Returns a subtask's part of a state. */
  static OperatorSubtaskState part(
      OperatorSubtaskState state, int parallelismBefore, int parallelism, int subtask) {
    return AbstractStreamOperatorTestHarness.repartitionOperatorState(
        state, ObservedEnvironment.MAX_PARALLELISM, parallelismBefore, parallelism, subtask);
  }

  /** Takes a snapshot, discards the operator, and restores another one, whose mails wait. */
  JudgeHarness restore() throws Exception {
    return crash(snapshot());
  }

  /** Discards the operator, and restores another one from an earlier snapshot; its mails wait. */
  JudgeHarness crash(OperatorSubtaskState state) throws Exception {
    collect();
    metrics.forEach(
        (name, metric) -> {
          if (metric instanceof Counter counter) {
            countersOfFormerOperators.merge(name, counter.getCount(), Long::sum);
          }
        });
    harness.close();
    harness = start(state);
    return this;
  }

  private void collect() {
    for (StreamRecord<? extends Alert> output : harness.extractOutputStreamRecords()) {
      alerts.add(output.getValue());
    }
    harness.getOutput().clear();
  }

  /** All alerts so far, as user, rule, second, and whether a changed fence is the cause. */
  List<String> alerts() {
    return allAlerts().stream()
        .map(
            alert ->
                "%s %s@%d%s"
                    .formatted(
                        alert.user(),
                        alert.rule(),
                        (alert.atMillis() - T) / 1_000,
                        alert.cause() == Alert.Cause.FENCE_CHANGED ? " fence-changed" : ""))
        .toList();
  }

  List<Alert> allAlerts() {
    collect();
    return List.copyOf(alerts);
  }

  /** Returns a counter summed over all operators of this harness. */
  long counter(String name) {
    Counter counter = (Counter) metric(name);
    return countersOfFormerOperators.getOrDefault(name, 0L) + counter.getCount();
  }

  long gauge(String name) {
    return (Long) ((Gauge<?>) metric(name)).getValue();
  }

  private Metric metric(String name) {
    Metric metric = metrics.get(name);
    if (metric == null) {
      throw new IllegalArgumentException("No metric " + name + " among " + metrics.keySet());
    }
    return metric;
  }

  /** The devices of which something is kept. */
  long devices() {
    return keys("last");
  }

  /** The devices of which something is kept for rules. */
  long devicesWithStandings() {
    return keys("standings");
  }

  private long keys(String state) {
    KeyedStateBackend<String> backend = harness.getOperator().getKeyedStateBackend();
    try (Stream<String> keys = backend.getKeys(state, VoidNamespace.INSTANCE)) {
      return keys.count();
    }
  }

  int timers() {
    return harness.numEventTimeTimers();
  }

  @Override
  public void close() {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException("Closing the operator failed", e);
    }
  }
}
