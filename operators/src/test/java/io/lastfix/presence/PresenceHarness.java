package io.lastfix.presence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.DeviceUsage;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.model.device.Presence;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.RawMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.stream.Stream;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
import org.jspecify.annotations.Nullable;

/**
 * Both functions of the devices job, each with some subtasks, connected as a keyBy connects them.
 * Each partition is read by one subtask, and the watermark is the least of all partitions.
 */
final class PresenceHarness implements AutoCloseable {
  private static final int KEY_GROUPS = 8;

  private final PresenceOptions options;
  private final int partitions;
  private final TestErasures erased = new TestErasures();

  /** By partition: the greatest append time, and the next offset. */
  private final Map<Integer, Long> greatest = new HashMap<>();

  private final Map<Integer, Long> offsets = new HashMap<>();

  private final List<Presence> updates = new ArrayList<>();
  private final List<Presence> changes = new ArrayList<>();
  private final List<DeviceUsage> usage = new ArrayList<>();

  private List<OneInputStreamOperatorTestHarness<RawMessage, PresenceInput>> readers =
      new ArrayList<>();
  private List<KeyedOneInputStreamOperatorTestHarness<String, PresenceInput, Presence>> judges =
      new ArrayList<>();

  PresenceHarness(PresenceOptions options, int partitions) throws Exception {
    this(options, partitions, 1, null, null);
  }

  /** Restores the state of both functions, each of one subtask. */
  PresenceHarness(
      PresenceOptions options,
      int partitions,
      int parallelism,
      @Nullable OperatorSubtaskState readers,
      @Nullable OperatorSubtaskState judges)
      throws Exception {
    this.options = options;
    this.partitions = partitions;
    start(parallelism, readers, 1, judges, 1);
  }

  private void start(
      int parallelism,
      @Nullable OperatorSubtaskState ofReaders,
      int formerReaders,
      @Nullable OperatorSubtaskState ofJudges,
      int formerJudges)
      throws Exception {
    int readerCount = Math.min(parallelism, partitions);
    readers = new ArrayList<>();
    judges = new ArrayList<>();
    for (int i = 0; i < readerCount; i++) {
      var reader =
          new OneInputStreamOperatorTestHarness<RawMessage, PresenceInput>(
              new ProcessOperator<>(new AppendTimeFunction(options)), KEY_GROUPS, readerCount, i);
      open(reader, PresenceInputSerializer.TYPE, ofReaders, formerReaders, readerCount, i);
      readers.add(reader);
    }
    for (int i = 0; i < parallelism; i++) {
      var judge =
          new KeyedOneInputStreamOperatorTestHarness<String, PresenceInput, Presence>(
              new KeyedProcessOperator<>(new PresenceFunction(options, erased)),
              PresenceInput::key,
              Types.STRING,
              KEY_GROUPS,
              parallelism,
              i);
      open(judge, Types.POJO(Presence.class), ofJudges, formerJudges, parallelism, i);
      judges.add(judge);
    }
  }

  private static <T> void open(
      AbstractStreamOperatorTestHarness<T> harness,
      TypeInformation<T> type,
      @Nullable OperatorSubtaskState state,
      int former,
      int parallelism,
      int index)
      throws Exception {
    harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
    if (state != null) {
      harness.initializeState(
          AbstractStreamOperatorTestHarness.repartitionOperatorState(
              state, KEY_GROUPS, former, parallelism, index));
    }
    harness.open();
  }

  PresenceHarness message(
      int partition, long appendMillis, @Nullable String key, HeartbeatMessage message)
      throws Exception {
    return bytes(partition, appendMillis, key, HeartbeatCodec.write(message));
  }

  PresenceHarness bytes(int partition, long appendMillis, @Nullable String key, byte[] value)
      throws Exception {
    long offset = offsets.merge(partition, 1L, Long::sum) - 1;
    byte[] keyBytes = key == null ? null : key.getBytes(UTF_8);
    RawMessage raw =
        new RawMessage(
            "lastfix.heartbeats",
            partition,
            offset,
            keyBytes,
            keyBytes == null ? -1 : keyBytes.length,
            value,
            value.length,
            appendMillis,
            RawMessage.UNKNOWN_TIME,
            HeaderList.NONE);
    if (appendMillis != RawMessage.UNKNOWN_TIME) {
      greatest.merge(partition, appendMillis, Math::max);
    }
    var reader = readers.get(partition % readers.size());
    reader.processElement(raw, appendMillis);
    for (StreamRecord<? extends PresenceInput> read : reader.extractOutputStreamRecords()) {
      PresenceInput input = read.getValue();
      int subtask =
          KeyGroupRangeAssignment.assignKeyToParallelOperator(
              input.key(), KEY_GROUPS, judges.size());
      judges.get(subtask).processElement(input, read.getTimestamp());
    }
    reader.getOutput().clear();
    collect();
    return this;
  }

  /** Brings the watermark to the least of all partitions, as Kafka's source does. */
  PresenceHarness watermark() throws Exception {
    if (greatest.size() == partitions) {
      long least = greatest.values().stream().mapToLong(Long::longValue).min().orElseThrow() - 1;
      for (var judge : judges) {
        judge.processWatermark(new Watermark(least));
      }
      collect();
    }
    return this;
  }

  /** Takes a snapshot, and restores it with another parallelism. */
  PresenceHarness restore(int parallelism) throws Exception {
    OperatorSubtaskState ofReaders = readersState();
    OperatorSubtaskState ofJudges = judgesState();
    int formerReaders = readers.size();
    int formerJudges = judges.size();
    close();
    start(parallelism, ofReaders, formerReaders, ofJudges, formerJudges);
    return this;
  }

  /** Erases a device, up to this time. Subtasks hear of it when they start. */
  PresenceHarness erase(String device, long untilMillis) {
    erased.add(device, untilMillis);
    return this;
  }

  OperatorSubtaskState readersState() throws Exception {
    return state(readers);
  }

  OperatorSubtaskState judgesState() throws Exception {
    return state(judges);
  }

  private static OperatorSubtaskState state(
      List<? extends AbstractStreamOperatorTestHarness<?>> subtasks) throws Exception {
    OperatorSubtaskState[] states = new OperatorSubtaskState[subtasks.size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = subtasks.get(i).snapshot(1, 1);
    }
    return AbstractStreamOperatorTestHarness.repackageState(states);
  }

  private void collect() {
    for (var judge : judges) {
      judge.extractOutputStreamRecords().forEach(record -> updates.add(record.getValue()));
      judge.getOutput().clear();
      drain(judge, PresenceFunction.CHANGES, changes);
      drain(judge, PresenceFunction.USAGE, usage);
    }
  }

  private static <T> void drain(
      OneInputStreamOperatorTestHarness<?, ?> judge, OutputTag<T> tag, List<T> target) {
    Queue<StreamRecord<T>> found = judge.getSideOutput(tag);
    if (found != null) {
      found.forEach(record -> target.add(record.getValue()));
      found.clear();
    }
  }

  /** All that goes to MongoDB. */
  List<Presence> updates() {
    return updates;
  }

  /** All that goes to {@code lastfix.presence}. */
  List<Presence> changes() {
    return changes;
  }

  /** The changes of one device, each as its state and the time since. */
  List<String> changesOf(String device) {
    return changes.stream()
        .filter(change -> change.device().equals(device))
        .map(change -> change.state().text() + "@" + change.sinceMillis())
        .toList();
  }

  List<DeviceUsage> usage() {
    return usage;
  }

  /** The devices of which something is kept. */
  int devices() {
    return judges.stream().mapToInt(judge -> judge.numKeyedStateEntries()).sum();
  }

  int timers() {
    return judges.stream().mapToInt(judge -> judge.numEventTimeTimers()).sum();
  }

  @Override
  public void close() {
    Stream.concat(readers.stream(), judges.stream()).forEach(PresenceHarness::close);
  }

  private static void close(AbstractStreamOperatorTestHarness<?> harness) {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException("Closing a subtask failed", e);
    }
  }

  /** Of a job that forgets nobody. */
  static PresenceOptions options() {
    return options(null);
  }

  static PresenceOptions options(@Nullable Duration forgetAfter) {
    return new PresenceOptions(
        Duration.ofSeconds(10), Duration.ofSeconds(15), Duration.ofMinutes(5), forgetAfter, 1_000);
  }
}
