package io.lastfix.analytics.distinct;

import io.lastfix.model.LocatedRecord;
import io.lastfix.store.history.HistoryId;
import java.nio.ByteBuffer;
import java.time.Duration;
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
 * Lets each record of History pass once, keyed by user, however often Kafka delivers it. A record's
 * identity is that of History's {@code _id}.
 *
 * <p>It remembers the identities of the last hour of event time. A record that is older than the
 * watermark by more cannot be judged: it does not pass, is counted, and is left to the count of
 * History. So what passes is never more than what History holds. Its timestamp goes to {@link
 * #TOO_LATE}.
 *
 * <p>Metrics, in the group {@code distinct}: {@code repeated}, {@code tooLate}, and {@code
 * leftOut}, the latter's sum over all attempts. It is part of the state: a restart does not make
 * the numbers complete.
 */
public final class DistinctFunction
    extends KeyedProcessFunction<String, LocatedRecord, LocatedRecord>
    implements CheckpointedFunction {
  /** How much older than the watermark a record may be. */
  public static final Duration LATENESS = Duration.ofHours(1);

  /** The timestamps of records that came too late, in milliseconds since 1970. */
  public static final OutputTag<Long> TOO_LATE = new OutputTag<>("too-late", Types.LONG);

  private static final long LATENESS_MILLIS = LATENESS.toMillis();

  private transient ValueState<RecentRecords> recent;
  private transient ListState<Long> watermarks;

  /** {@link #leftOutBefore}, and what this attempt has added. */
  private transient ListState<Long> leftOut;

  /** How many records came too late in the attempts that this one continues. */
  private transient long leftOutBefore;

  /** The greatest watermark so far, of this attempt or of those that it continues. */
  private transient long watermark;

  private transient Counter repeated;
  private transient Counter tooLate;

  /**
   * A new attempt begins without a watermark, but with a state that has forgotten what was older
   * than the last one: the watermark is part of the state.
   */
  @Override
  public void initializeState(FunctionInitializationContext context) throws Exception {
    watermarks =
        context
            .getOperatorStateStore()
            .getUnionListState(new ListStateDescriptor<>("watermark", Types.LONG));
    watermark = Long.MIN_VALUE;
    for (long restored : watermarks.get()) {
      // It may be of a clock that was ahead.
      watermark = Math.max(watermark, Math.min(restored, System.currentTimeMillis()));
    }
    leftOut =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("too-late", Types.LONG));
    leftOutBefore = 0;
    for (long restored : leftOut.get()) {
      leftOutBefore += restored;
    }
  }

  @Override
  public void snapshotState(FunctionSnapshotContext context) throws Exception {
    watermarks.update(List.of(watermark));
    leftOut.update(List.of(leftOut()));
  }

  @Override
  public void open(OpenContext context) {
    recent =
        getRuntimeContext()
            .getState(new ValueStateDescriptor<>("recent", new RecentRecordsSerializer()));
    MetricGroup metrics = getRuntimeContext().getMetricGroup().addGroup("distinct");
    repeated = metrics.counter("repeated");
    tooLate = metrics.counter("tooLate");
    metrics.gauge("leftOut", this::leftOut);
  }

  private long leftOut() {
    return leftOutBefore + tooLate.getCount();
  }

  @Override
  public void processElement(LocatedRecord record, Context context, Collector<LocatedRecord> out)
      throws Exception {
    long oldest = oldestKept(context.timerService());
    long timestampMillis = record.timestampMillis();
    if (timestampMillis < oldest) {
      tooLate.inc();
      context.output(TOO_LATE, timestampMillis);
      return;
    }
    RecentRecords records = recent.value();
    if (records == null) {
      records = new RecentRecords();
      context.timerService().registerEventTimeTimer(end(timestampMillis));
    }
    records.removeBefore(oldest);
    if (records.add(timestampMillis, hash(record))) {
      out.collect(record);
    } else {
      repeated.inc();
    }
    recent.update(records);
  }

  /** Forgets what is too old. There is one timer for a user; it is set again only if it fires. */
  @Override
  public void onTimer(long millis, OnTimerContext context, Collector<LocatedRecord> out)
      throws Exception {
    RecentRecords records = recent.value();
    if (records == null) {
      return;
    }
    records.removeBefore(oldestKept(context.timerService()));
    if (records.size() == 0) {
      recent.clear();
    } else {
      recent.update(records);
      context.timerService().registerEventTimeTimer(end(records.timestamp(records.size() - 1)));
    }
  }

  /** Returns the first watermark at which a record of that timestamp is too old. */
  private static long end(long timestampMillis) {
    return timestampMillis + LATENESS_MILLIS + 1;
  }

  /** Returns the least timestamp that is not too old. */
  private long oldestKept(TimerService time) {
    watermark = Math.max(watermark, time.currentWatermark());
    return watermark < Long.MIN_VALUE + LATENESS_MILLIS
        ? Long.MIN_VALUE
        : watermark - LATENESS_MILLIS;
  }

  private static long hash(LocatedRecord record) {
    byte[] id = HistoryId.of(record.user(), record.timestampMillis(), record.place()).getData();
    return ByteBuffer.wrap(id).getLong(Long.BYTES);
  }
}
