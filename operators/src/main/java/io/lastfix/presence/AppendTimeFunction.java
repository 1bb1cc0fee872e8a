package io.lastfix.presence;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatFormatException;
import io.lastfix.model.device.HeartbeatMessage;
import io.lastfix.parse.RawMessage;
import io.lastfix.presence.PresenceInput.OutageEnded;
import io.lastfix.presence.PresenceInput.SignOfLife;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.FunctionInitializationContext;
import org.apache.flink.runtime.state.FunctionSnapshotContext;
import org.apache.flink.runtime.state.KeyGroupRangeAssignment;
import org.apache.flink.streaming.api.checkpoint.CheckpointedFunction;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the messages of {@code lastfix.heartbeats} in the order of each partition, and finds the
 * outages. Ticks and byes end here: they have moved the watermark, and shown that there was no
 * outage.
 *
 * <p><b>Input:</b> messages with the broker's append time. <b>Output:</b> each sign of life; for
 * each outage one {@link OutageEnded} for every key group, before the first message after it. All
 * leave on one edge, so a subtask meets an outage before anything that comes after it.
 *
 * <p>Append times of a partition fall if the clock of its leader is adjusted. A message that is
 * dated before another one ahead of it in the partition gets that one's time.
 *
 * <p>A message with its producer's time, from before the topic stored append times, says nothing
 * about the order of things. It is counted and skipped.
 *
 * <p><b>State per subtask:</b> the time of the last message of each partition. After a restore each
 * subtask gets those of all, and the newest counts.
 *
 * <p>Metrics are in the group {@code heartbeats}: {@code messages = signs + ticks + byes +
 * unreadable + undated}; {@code outages} counts those that were found. Alert if {@code unreadable}
 * or {@code undated} grows.
 */
public final class AppendTimeFunction extends ProcessFunction<RawMessage, PresenceInput>
    implements CheckpointedFunction {
  private static final Logger LOG = LoggerFactory.getLogger(AppendTimeFunction.class);

  /** Group of the metrics. */
  static final String GROUP = "heartbeats";

  private final long longestSilenceMillis;

  private transient ListState<Outage> lastMessages;
  private transient Map<Integer, Long> lastMillis;
  private transient List<String> keyGroups;
  private transient Counter messages;
  private transient Counter signs;
  private transient Counter ticks;
  private transient Counter byes;
  private transient Counter unreadable;
  private transient Counter undated;
  private transient Counter outages;

  /** Finds outages that are longer than {@link PresenceOptions#longestSilence()}. */
  public AppendTimeFunction(PresenceOptions options) {
    longestSilenceMillis = options.longestSilence().toMillis();
  }

  /**
   * Returns the watermarks of {@code lastfix.heartbeats}, of each partition: just before its
   * greatest append time.
   *
   * <p>A message with its producer's time moves nothing. Such a time can be any, and the watermark
   * never returns: one from next year would mark every device offline.
   */
  public static WatermarkStrategy<RawMessage> watermarks() {
    return WatermarkStrategy.<RawMessage>forMonotonousTimestamps()
        .withTimestampAssigner(
            (message, unused) ->
                message.appendTimeMillis() == RawMessage.UNKNOWN_TIME
                    ? Long.MIN_VALUE
                    : message.appendTimeMillis());
  }

  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    lastMessages =
        context
            .getOperatorStateStore()
            .getUnionListState(
                new ListStateDescriptor<>("last-messages", Types.POJO(Outage.class)));
    lastMillis = new HashMap<>();
    for (Outage last : lastMessages.get()) {
      lastMillis.merge(last.partition(), last.toMillis(), Math::max);
    }
  }

  @Override
  public void open(OpenContext context) {
    keyGroups = keysOfGroups(getRuntimeContext().getTaskInfo().getMaxNumberOfParallelSubtasks());
    MetricGroup group = getRuntimeContext().getMetricGroup().addGroup(GROUP);
    messages = group.counter("messages");
    signs = group.counter("signs");
    ticks = group.counter("ticks");
    byes = group.counter("byes");
    unreadable = group.counter("unreadable");
    undated = group.counter("undated");
    outages = group.counter("outages");
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    List<Outage> all = new ArrayList<>(lastMillis.size());
    lastMillis.forEach((partition, millis) -> all.add(new Outage(partition, millis, millis)));
    lastMessages.update(all);
  }

  @Override
  public void processElement(RawMessage message, Context context, Collector<PresenceInput> out) {
    messages.inc();
    if (message.appendTimeMillis() == RawMessage.UNKNOWN_TIME) {
      skipUndated(message);
      return;
    }
    long timeMillis = advance(message, out);
    byte[] value = message.value();
    if (value == null) {
      skip(message, "it has no value");
      return;
    }
    try {
      HeartbeatMessage read = HeartbeatCodec.read(value);
      if (!(read instanceof HeartbeatMessage.Sign sign)) {
        (read instanceof HeartbeatMessage.Bye ? byes : ticks).inc();
        return;
      }
      byte[] key = message.key();
      if (key == null || key.length == 0) {
        skip(message, "a sign of life has no key");
        return;
      }
      String device = new String(key, UTF_8);
      if (device.length() > HeartbeatMessage.MAX_DEVICE) {
        // No gateway writes it. A change of its presence could be larger than its topic takes.
        skip(message, "its key has more than %d characters".formatted(HeartbeatMessage.MAX_DEVICE));
        return;
      }
      signs.inc();
      out.collect(new SignOfLife(device, message.partition(), message.offset(), timeMillis, sign));
    } catch (HeartbeatFormatException e) {
      skip(message, String.valueOf(e.getMessage()));
    }
  }

  private long advance(RawMessage message, Collector<PresenceInput> out) {
    long appended = message.appendTimeMillis();
    Long last = lastMillis.get(message.partition());
    long timeMillis = last == null ? appended : Math.max(last, appended);
    lastMillis.put(message.partition(), timeMillis);
    if (last != null && timeMillis - last > longestSilenceMillis) {
      outages.inc();
      Outage outage = new Outage(message.partition(), last, timeMillis);
      LOG.warn(
          "No gateway reached partition {} of {} for {} ms: devices have their whole time again",
          message.partition(),
          message.topic(),
          timeMillis - last);
      keyGroups.forEach(key -> out.collect(new OutageEnded(key, outage)));
    }
    return timeMillis;
  }

  /** A topic may hold any number of them, so only the first one is logged. */
  private void skipUndated(RawMessage message) {
    if (undated.getCount() == 0) {
      LOG.warn(
          "Skipping a message of {}, partition {}, offset {}, and others like it: it has no append time. If their number keeps growing, the topic's message.timestamp.type is not LogAppendTime: a gateway that starts prints the command that changes it",
          message.topic(),
          message.partition(),
          message.offset());
    }
    undated.inc();
  }

  private void skip(RawMessage message, String problem) {
    unreadable.inc();
    LOG.warn(
        "Skipping a message of {}, partition {}, offset {}: {}",
        message.topic(),
        message.partition(),
        message.offset(),
        problem);
  }

  /**
   * Returns a key for each key group, in any order: what is sent to all of them reaches every
   * subtask behind a keyBy.
   */
  private static List<String> keysOfGroups(int keyGroups) {
    List<String> keys = new ArrayList<>(keyGroups);
    BitSet found = new BitSet(keyGroups);
    for (int i = 0; keys.size() < keyGroups; i++) {
      String key = Integer.toString(i);
      int group = KeyGroupRangeAssignment.assignToKeyGroup(key, keyGroups);
      if (!found.get(group)) {
        found.set(group);
        keys.add(key);
      }
    }
    return keys;
  }
}
