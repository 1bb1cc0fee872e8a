package io.lastfix.locate;

import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.state.KeyedStateFunction;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;

/**
 * Joins location records with the cell catalogue.
 *
 * <p><b>In:</b> location records, and catalogue entries, each complete for its cell id; both keyed
 * by (mcc, mnc, cid), {@link io.lastfix.model.CellId#lookupKey()}, since a record may come without
 * an area. <b>Out:</b> every record exactly once, with the stream timestamp it came with, however
 * long it waited.
 *
 * <p>A record's candidates are the towers of its key in its area, where it gives one, and on its
 * radio, where it gives one.
 *
 * <ul>
 *   <li>One candidate: it goes on with the position valid at the record's own time.
 *   <li>Several: it goes on without coordinates at once, for further entries could not make it less
 *       ambiguous, and a guess would be worse than nothing.
 *   <li>None: it waits, and is tried again when an entry changes what is known of its key. At its
 *       deadline it goes on without coordinates; so does, at once, one that finds {@link
 *       LocateOptions#maxWaitingPerCell()} of its key waiting, and all that wait when both inputs
 *       end. After a restore it waits the whole of {@link LocateOptions#maxWait()} once more: its
 *       entry may have been published while the job was down, and not been read yet.
 * </ul>
 *
 * <p><b>Kept per key:</b> what is known, until the catalogue removes it, and for {@link
 * KnownCellsState#REMOVAL_KEPT} more that it was removed; the waiting records, until they go on;
 * one timer while any wait.
 *
 * <p>This is an operator and not a {@code KeyedCoProcessFunction} since a function can neither emit
 * a record with another timestamp than its input's, nor count what waits in restored state. Metrics
 * are in the group {@code locate}.
 */
public final class LocateOperator extends AbstractStreamOperator<LocatedRecord>
    implements TwoInputStreamOperator<LocationRecord, CellEntry, LocatedRecord>,
        Triggerable<Long, VoidNamespace> {

  private final ValueStateDescriptor<KnownCells> knownCellsDescriptor =
      new ValueStateDescriptor<>("known-cells", new KnownCellsSerializer());
  private final ListStateDescriptor<WaitingRecord> waitingRecordsDescriptor =
      new ListStateDescriptor<>("waiting-records", new WaitingRecordSerializer());
  private final ValueStateDescriptor<WaitingSummary> waitingSummaryDescriptor =
      new ValueStateDescriptor<>("waiting-summary", new WaitingSummarySerializer());

  private final LocateOptions options;

  private transient KnownCellsState knownCells;
  private transient ListState<WaitingRecord> waitingRecords;
  private transient ValueState<WaitingSummary> waitingSummary;
  private transient InternalTimerService<VoidNamespace> timers;
  private transient LocateMetrics locateMetrics;

  /** The deadline of a record that had begun to wait when this operator started. */
  private transient long earliestExpiryMillis;

  LocateOperator(LocateOptions options) {
    this.options = options;
  }

  /**
   * Joins the two streams. The caller sets the uid.
   *
   * @param records any partitioning
   * @param entries any partitioning and order; of the entries of one cell id that with the greatest
   *     revision counts
   */
  public static SingleOutputStreamOperator<LocatedRecord> locate(
      DataStream<LocationRecord> records, DataStream<CellEntry> entries, LocateOptions options) {
    return records
        .connect(entries)
        .keyBy(record -> record.cell().lookupKey(), entry -> entry.cell().lookupKey(), Types.LONG)
        .transform("Locate", TypeInformation.of(LocatedRecord.class), new LocateOperator(options));
  }

  @Override
  public void open() throws Exception {
    super.open();
    knownCells =
        new KnownCellsState(
            getPartitionedState(knownCellsDescriptor),
            (name, triggered) ->
                getInternalTimerService(name, VoidNamespaceSerializer.INSTANCE, triggered));
    waitingRecords = getPartitionedState(waitingRecordsDescriptor);
    waitingSummary = getPartitionedState(waitingSummaryDescriptor);
    timers = getInternalTimerService("waiting", VoidNamespaceSerializer.INSTANCE, this);
    locateMetrics =
        new LocateMetrics(getMetricGroup(), getProcessingTimeService()::getCurrentProcessingTime);
    earliestExpiryMillis = options.deadlineMillis(timers.currentProcessingTime());
    forEachKeyWithWaitingRecords((key, summary) -> resumeWaiting(summary.value()));
  }

  @Override
  public void processElement1(StreamRecord<LocationRecord> element) throws Exception {
    locateMetrics.records.inc();
    LocationRecord record = element.getValue();
    KnownCells known = known();
    switch (known.candidates(record)) {
      case 0 -> awaitCell(element);
      case 1 -> {
        locateMetrics.located.inc();
        output.collect(element.replace(record.at(known.positionOf(record))));
      }
      default -> {
        locateMetrics.ambiguous.inc();
        output.collect(element.replace(record.at(null)));
      }
    }
  }

  @Override
  public void processElement2(StreamRecord<CellEntry> element) throws Exception {
    locateMetrics.entries.inc();
    if (knownCells.add(element.getValue())) {
      releaseWaiting(timers.currentProcessingTime());
    }
  }

  /** Lets those go whose deadline the timer was set for. */
  @Override
  public void onProcessingTime(InternalTimer<Long, VoidNamespace> timer) throws Exception {
    // The timer's time, not the clock's: after a step back of the clock the deadline would still be
    // ahead, and the timer, set for it again, would fire again without end.
    releaseWaiting(timer.getTimestamp());
  }

  @Override
  public void onEventTime(InternalTimer<Long, VoidNamespace> timer) {
    throw new IllegalStateException("Expected no event-time timer: none is ever set");
  }

  /** Both inputs have ended: no entry can come any more, and no timer would fire. */
  @Override
  public void finish() throws Exception {
    forEachKeyWithWaitingRecords((key, summary) -> releaseWaiting(Long.MAX_VALUE));
    super.finish();
  }

  /**
   * Counts the current key's restored records, and sets their timer no earlier than a record's that
   * begins to wait now: while the job was down no entry could come, and the entries that were
   * written meanwhile have yet to be read.
   */
  private void resumeWaiting(WaitingSummary restored) throws IOException {
    locateMetrics.addWaiting(restored.count());
    summarizeWaiting(restored, restored.count(), expiryMillis(restored.timerMillis()));
  }

  /** When a record with that deadline goes on: not before its wait can have been of any use. */
  private long expiryMillis(long deadlineMillis) {
    return Math.max(deadlineMillis, earliestExpiryMillis);
  }

  private KnownCells known() throws IOException {
    return knownCells.get();
  }

  private void awaitCell(StreamRecord<LocationRecord> element) throws Exception {
    LocationRecord record = element.getValue();
    WaitingSummary summary = waitingSummary.value();
    int count = summary == null ? 0 : summary.count();
    if (count >= options.maxWaitingPerCell()) {
      locateMetrics.waitFull.inc();
      output.collect(element.replace(record.at(null)));
      return;
    }
    long deadlineMillis = options.deadlineMillis(timers.currentProcessingTime());
    waitingRecords.add(new WaitingRecord(record, element.getTimestamp(), deadlineMillis));
    // Earlier than the others' only where the clock stepped back, or the wait was made shorter.
    long timerMillis =
        summary == null
            ? expiryMillis(deadlineMillis)
            : Math.min(expiryMillis(deadlineMillis), summary.timerMillis());
    summarizeWaiting(summary, count + 1, timerMillis);
    locateMetrics.addWaiting(1);
  }

  /**
   * Lets those of the key's waiting records go whose cell is known now, or ambiguous, or whose
   * deadline is not after that moment.
   */
  private void releaseWaiting(long nowMillis) throws Exception {
    WaitingSummary summary = waitingSummary.value();
    if (summary == null) {
      return;
    }
    KnownCells known = known();
    List<WaitingRecord> stillWaiting = new ArrayList<>();
    long timerMillis = Long.MAX_VALUE;
    for (WaitingRecord waiting : waitingRecords.get()) {
      if (!release(waiting, known, nowMillis)) {
        stillWaiting.add(waiting);
        timerMillis = Math.min(timerMillis, expiryMillis(waiting.deadlineMillis()));
      }
    }
    if (stillWaiting.size() < summary.count()) {
      waitingRecords.update(stillWaiting);
    }
    summarizeWaiting(summary, stillWaiting.size(), timerMillis);
    locateMetrics.addWaiting(stillWaiting.size() - summary.count());
  }

  /** Whether the record went on. */
  private boolean release(WaitingRecord waiting, KnownCells known, long nowMillis) {
    LocationRecord record = waiting.record();
    int candidates = known.candidates(record);
    if (candidates == 1) {
      locateMetrics.located.inc();
      emit(waiting, record.at(known.positionOf(record)));
      return true;
    }
    if (candidates > 1) {
      locateMetrics.ambiguous.inc();
      emit(waiting, record.at(null));
      return true;
    }
    if (expiryMillis(waiting.deadlineMillis()) <= nowMillis) {
      locateMetrics.waitExpired.inc();
      emit(waiting, record.at(null));
      return true;
    }
    return false;
  }

  private void emit(WaitingRecord waiting, LocatedRecord located) {
    output.collect(
        waiting.streamTimestampMillis() == WaitingRecord.NO_TIMESTAMP
            ? new StreamRecord<>(located)
            : new StreamRecord<>(located, waiting.streamTimestampMillis()));
  }

  /** Keeps the summary, and the timer, true to the key's waiting records. */
  private void summarizeWaiting(@Nullable WaitingSummary before, int count, long timerMillis)
      throws IOException {
    boolean timerIsSet = before != null && count > 0 && before.timerMillis() == timerMillis;
    if (before != null && !timerIsSet) {
      timers.deleteProcessingTimeTimer(VoidNamespace.INSTANCE, before.timerMillis());
    }
    if (count == 0) {
      waitingSummary.clear();
      return;
    }
    if (!timerIsSet) {
      timers.registerProcessingTimeTimer(VoidNamespace.INSTANCE, timerMillis);
    }
    waitingSummary.update(new WaitingSummary(count, timerMillis));
  }

  private void forEachKeyWithWaitingRecords(
      KeyedStateFunction<Long, ValueState<WaitingSummary>> action) throws Exception {
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            waitingSummaryDescriptor,
            action);
  }
}
