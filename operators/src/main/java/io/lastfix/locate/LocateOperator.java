package io.lastfix.locate;

import io.lastfix.ledger.LedgerAccount;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.locate.WaitingQueue.Slot;
import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.RecordTypes;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Counter;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.runtime.state.VoidNamespace;
import org.apache.flink.runtime.state.VoidNamespaceSerializer;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Joins location records with the cell catalogue.
 *
 * <p><b>Input:</b> location records, and catalogue entries, each complete for its cell id. Both are
 * keyed by (mcc, mnc, cid), {@link io.lastfix.model.CellId#lookupKey()}, since a record may not
 * name its area. <b>Output:</b> every record exactly once, with its original stream timestamp,
 * however long it waited.
 *
 * <p>A record's candidates are the towers of its key that match its area and its radio, if the
 * record names them. A tower at (0, 0) is none, and without its area neither is one whose {@link
 * CellId#cidMarksUnknown() cell id marks an unknown cell}.
 *
 * <ul>
 *   <li>The record has a position of its own: the operator forwards it at once. If it names a cell
 *       with exactly one candidate, it also gets the cell's position, and {@link
 *       LocatedRecord#isFar()} says whether the two contradict each other.
 *   <li>One candidate: the operator forwards the record with the position and the range valid at
 *       the record's timestamp.
 *   <li>Several, or its cell id marks an unknown cell and it names no area: it forwards the record
 *       without coordinates at once. Further entries could not resolve the ambiguity, and a guess
 *       would be worse than no position.
 *   <li>None: the record waits. The operator tries it again if an entry changes the towers of its
 *       key.
 * </ul>
 *
 * <p>The operator forwards a waiting record without coordinates in these cases:
 *
 * <ul>
 *   <li>Its deadline has passed.
 *   <li>More records wait in the subtask than {@link LocateOptions} allow; the oldest leave first.
 *   <li>Both inputs have ended.
 * </ul>
 *
 * <p>After a restore a record waits the whole {@link LocateOptions#maxWait()} again: its entry may
 * have been published while the job was down, and still be unread. If the source rereads the
 * catalogue, the record waits at least as long as that may take.
 *
 * <p><b>State per key:</b> the known cells until the catalogue removes them, removals for another
 * {@link KnownCellsState#REMOVAL_KEPT}, and the waiting records. From state older than {@link
 * RemovalRetention} allows, the operator restores only the removals and the waiting records.
 *
 * <p><b>State per subtask,</b> in memory: the {@link WaitingQueue} of all keys, and one timer for
 * its earliest deadline. If too many records wait, a 16th of them leaves at once, so that the list
 * of a key is not rewritten for each record.
 *
 * <p>This is an operator and not a {@code KeyedCoProcessFunction}. A function can neither emit a
 * record with another timestamp than its input's, nor count the waiting records in restored state.
 * Metrics are in the group {@code locate}.
 */
public sealed class LocateOperator extends AbstractStreamOperator<LocatedRecord>
    implements TwoInputStreamOperator<LocationRecord, CellEntry, LocatedRecord>
    permits CatalogFirstLocateOperator {

  private static final Logger JOIN_LOG = LoggerFactory.getLogger(LocateOperator.class);

  /**
   * What is allowed beyond the accuracy and the cell's range, in metres: catalogues give the range
   * of what was heard so far, and the accuracy holds for 95 % of the positions only.
   */
  private static final double SLACK_METERS = 5_000;

  /** The part of the waiting records that leaves at once if there are too many. */
  private static final int LEAVING_PART = 16;

  private static final long MILLIS_BETWEEN_WARNINGS = 60_000;

  private final ValueStateDescriptor<KnownCells> knownCellsDescriptor =
      new ValueStateDescriptor<>("known-cells", new KnownCellsSerializer());
  private final ListStateDescriptor<WaitingRecord> waitingRecordsDescriptor =
      new ListStateDescriptor<>("waiting-records", new WaitingRecordSerializer());

  /** When each subtask took its part of a checkpoint. */
  private final ListStateDescriptor<Long> checkpointedAtDescriptor =
      new ListStateDescriptor<>("checkpointed-at", Types.LONG);

  /**
   * Has one element per subtask that has received no location record since it began to reread the
   * catalogue.
   */
  private final ListStateDescriptor<Boolean> rereadsDescriptor =
      new ListStateDescriptor<>("reads-catalog-anew", Types.BOOLEAN);

  private final LocateOptions options;
  private final RemovalRetention removals;
  private final Duration catalogLimit;

  private transient ListState<Long> checkpointedAt;
  private transient ListState<Boolean> rereads;
  private transient KnownCellsState knownCells;
  private transient ListState<WaitingRecord> waitingRecords;
  private transient WaitingQueue queue;
  transient LocateMetrics locateMetrics;

  private final LedgerAccount account = new LedgerAccount();

  /** Memory that the records in the queue count for. */
  private transient long waitingBytes;

  /** Arrival of the last record that began to wait. */
  private transient long lastArrival;

  /** Time of the only timer; {@code Long.MAX_VALUE} if none is set. */
  private transient long timerMillis;

  /** Minimum deadline of the records restored at this operator's start. */
  private transient long earliestExpiryMillis;

  /**
   * True while the source may still be rereading the catalogue; the first location record ends
   * that.
   */
  private transient boolean mayReread;

  /** Arrival of the last restored record. */
  private transient long lastRestoredArrival;

  private transient long nextWarningMillis;
  private transient long leftSinceWarning;

  LocateOperator(LocateOptions options, RemovalRetention removals, Duration catalogLimit) {
    this.options = options;
    this.removals = removals;
    this.catalogLimit = catalogLimit;
  }

  /**
   * Joins the two streams. The caller sets the uid.
   *
   * @param records any partitioning
   * @param entries any partitioning and order; of the entries of one cell id, the one with the
   *     greatest revision wins
   * @param removals limit for the age of restored state; if the state is older, the source of the
   *     entries must reread all of them
   * @param catalogLimit maximum time of that reread
   */
  public static SingleOutputStreamOperator<LocatedRecord> locate(
      DataStream<LocationRecord> records,
      DataStream<CellEntry> entries,
      LocateOptions options,
      RemovalRetention removals,
      Duration catalogLimit) {
    return join(records, entries, new LocateOperator(options, removals, catalogLimit));
  }

  /**
   * Joins two bounded streams: it reads all entries before the first record, so no record waits,
   * and one whose cell is unknown or ambiguous is forwarded without coordinates at once. Such a job
   * can take no checkpoints. The caller sets the uid.
   *
   * <p>The job's accumulators {@link CatalogFirstLocateOperator#LOCATED}, {@link
   * CatalogFirstLocateOperator#UNKNOWN} and {@link CatalogFirstLocateOperator#AMBIGUOUS} count the
   * records.
   */
  public static SingleOutputStreamOperator<LocatedRecord> locateAfterCatalog(
      DataStream<LocationRecord> records, DataStream<CellEntry> entries) {
    return join(records, entries, new CatalogFirstLocateOperator());
  }

  private static SingleOutputStreamOperator<LocatedRecord> join(
      DataStream<LocationRecord> records, DataStream<CellEntry> entries, LocateOperator operator) {
    return records
        .connect(entries)
        .keyBy(LocateOperator::keyOf, entry -> entry.cell().lookupKey(), Types.LONG)
        .transform("Locate", RecordTypes.LOCATED_RECORD, operator);
  }

  /**
   * Returns the key of the join. Records without a cell join nothing: the user spreads them over
   * the subtasks, in negative numbers, which no cell has.
   */
  static long keyOf(LocationRecord record) {
    CellId cell = record.cell();
    return cell != null ? cell.lookupKey() : Long.MIN_VALUE | record.user().hashCode();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    // Each subtask reads all elements: after rescaling, it may have keys of any former subtask.
    checkpointedAt = context.getOperatorStateStore().getUnionListState(checkpointedAtDescriptor);
    rereads = context.getOperatorStateStore().getUnionListState(rereadsDescriptor);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    checkpointedAt.update(List.of(nowMillis()));
    mayReread &= nowMillis() < earliestExpiryMillis;
    rereads.update(mayReread ? List.of(true) : List.of());
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
    locateMetrics = new LocateMetrics(getMetricGroup(), this::nowMillis);
    queue = new WaitingQueue();
    timerMillis = Long.MAX_VALUE;
    earliestExpiryMillis = options.deadlineMillis(nowMillis());
    nextWarningMillis = Long.MIN_VALUE;
    dropCellsOfOldState();
    queueRestored();
  }

  /** Sends the ledger how many records wait now. */
  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    account.send(LedgerEntry.ofWaiting(queue.size()), checkpointId, output);
  }

  @Override
  public void processElement1(StreamRecord<LocationRecord> element) throws Exception {
    locateMetrics.records.inc();
    mayReread = false;
    LocationRecord record = element.getValue();
    LocatedRecord located = located(record);
    if (located == null) {
      awaitCell(element);
    } else {
      output.collect(element.replace(located));
    }
  }

  /** Returns the located record; null if it must wait for its cell. */
  private @Nullable LocatedRecord located(LocationRecord record) throws IOException {
    Fix fix = record.fix();
    if (fix != null) {
      return withOwnPosition(record, fix);
    }
    CellId cell = record.cell();
    if (cell != null && !cell.hasArea() && cell.cidMarksUnknown()) {
      // Any tower may have such a cid, and no entry can change that: it would wait for nothing.
      locateMetrics.ambiguous.inc();
      return record.at(null);
    }
    KnownCells known = knownCells.get();
    int candidates = known.candidates(record);
    return candidates == 0 ? null : atItsCell(record, known, candidates);
  }

  /** Returns the record at its one candidate; without coordinates if there are several. */
  private LocatedRecord atItsCell(LocationRecord record, KnownCells known, int candidates) {
    if (candidates == 1) {
      locateMetrics.located.inc();
      return record.atCell(known.versionOf(record));
    }
    locateMetrics.ambiguous.inc();
    return record.at(null);
  }

  /** Beside its own position it has its cell's if that is known now. */
  private LocatedRecord withOwnPosition(LocationRecord record, Fix fix) throws IOException {
    locateMetrics.fixes.inc();
    if (record.cell() == null) {
      return record.at(null);
    }
    KnownCells known = knownCells.get();
    if (known.candidates(record) != 1) {
      return record.at(null);
    }
    CellVersion cell = known.versionOf(record);
    boolean isFar = isFar(fix, cell);
    if (isFar) {
      locateMetrics.far.inc();
    }
    return record.at(cell.position(), isFar);
  }

  /**
   * Returns true if the two lie farther apart than the accuracy, the cell's range and {@link
   * #SLACK_METERS} together, so that not both can be right; an unknown accuracy counts as 0. False
   * if the cell's range is unknown: a rural cell is heard 30 km away.
   */
  private static boolean isFar(Fix fix, CellVersion cell) {
    if (cell.rangeMeters() == 0) {
      return false;
    }
    Double accuracy = fix.accuracyMeters();
    return fix.position().metersTo(cell.position())
        > (accuracy == null ? 0 : accuracy) + cell.rangeMeters() + SLACK_METERS;
  }

  @Override
  public void processElement2(StreamRecord<CellEntry> element) throws Exception {
    locateMetrics.entries.inc();
    if (knownCells.add(element.getValue())) {
      releaseLocated(knownCells.get(), element.getValue().cell().lookupKey());
    }
  }

  /** Both inputs have ended: no entry can arrive any more, and no timer would fire. */
  @Override
  public void finish() throws Exception {
    forwardUnlocated(queue.pollExpired(Long.MAX_VALUE), locateMetrics.waitExpired);
    waitingChanged();
    super.finish();
    account.send(LedgerEntry.ofWaiting(queue.size()), LedgerEntry.END, output);
  }

  private long nowMillis() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void dropCellsOfOldState() throws Exception {
    long nowMillis = nowMillis();
    Instant now = Instant.ofEpochMilli(nowMillis);
    Instant newest = null;
    for (long millis : checkpointedAt.get()) {
      Instant written = Instant.ofEpochMilli(millis);
      newest = newest == null || written.isAfter(newest) ? written : newest;
    }
    if (newest == null) {
      return;
    }
    // The reread may take several attempts, and from the second one on the restored state is young.
    mayReread = removals.mustReread(newest, now) || rereads.get().iterator().hasNext();
    if (mayReread) {
      earliestExpiryMillis =
          Math.max(earliestExpiryMillis, Math.addExact(nowMillis, catalogLimit.toMillis()));
    }
    if (removals.isTooOldToKeep(newest, now)) {
      dropCells(newest);
    }
  }

  /**
   * State of this age may have missed a removal that Kafka has deleted. The source then rereads the
   * catalogue, and sends no location record before that. Waiting records stay.
   */
  private void dropCells(Instant newest) throws Exception {
    LongAdder dropped = new LongAdder();
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            knownCellsDescriptor,
            (key, known) -> dropped.add(KnownCellsState.dropCells(known)));
    JOIN_LOG.warn(
        "The restored state was written at {}, and the catalogue's topic keeps removals for {}:"
            + " the job may have missed one. This subtask has dropped all {} known cells, and the job"
            + " reads the catalogue again",
        newest,
        removals.kept(),
        dropped);
  }

  private void queueRestored() throws Exception {
    List<Slot> slots = new ArrayList<>();
    lastRestoredArrival = Long.MAX_VALUE;
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            waitingRecordsDescriptor,
            (key, list) -> {
              for (WaitingRecord waiting : list.get()) {
                slots.add(slotOf(waiting, key));
                waitingBytes += waiting.bytes();
                lastArrival = Math.max(lastArrival, waiting.arrival());
              }
            });
    Collections.sort(slots);
    slots.forEach(queue::add);
    lastRestoredArrival = lastArrival;
    waitingChanged();
  }

  /**
   * Returns the position of a record in the queue. A restored record does not expire before its
   * wait can help: while the job was down no entry could arrive, and entries published meanwhile
   * are still unread.
   */
  private Slot slotOf(WaitingRecord waiting, long key) {
    long deadlineMillis = waiting.deadlineMillis();
    return new Slot(
        waiting.arrival() <= lastRestoredArrival
            ? Math.max(deadlineMillis, earliestExpiryMillis)
            : deadlineMillis,
        waiting.arrival(),
        key);
  }

  /** Receives a record whose cell is unknown. */
  void awaitCell(StreamRecord<LocationRecord> element) throws Exception {
    LocationRecord record = element.getValue();
    long nowMillis = nowMillis();
    lastArrival = WaitingRecord.arrivalAfter(lastArrival, nowMillis);
    WaitingRecord waiting =
        new WaitingRecord(
            record, element.getTimestamp(), options.deadlineMillis(nowMillis), lastArrival);
    waitingRecords.add(waiting);
    queue.add(slotOf(waiting, keyOf(record)));
    waitingBytes += waiting.bytes();
    if (isFull()) {
      makeRoom(nowMillis);
    }
    waitingChanged();
  }

  private boolean isFull() {
    return queue.size() > options.maxWaitingRecords() || waitingBytes > options.maxWaitingBytes();
  }

  private void makeRoom(long nowMillis) throws Exception {
    int before = queue.size();
    do {
      int leaving = Math.max(1, queue.size() / LEAVING_PART);
      forwardUnlocated(queue.pollOldest(leaving), locateMetrics.waitFull);
    } while (isFull());
    leftSinceWarning += before - queue.size();
    if (nowMillis >= nextWarningMillis) {
      JOIN_LOG.warn(
          "Too many records wait for cells that the catalogue does not have: this subtask has"
              + " forwarded the {} oldest without coordinates. {} records ({} bytes) still wait. Load"
              + " the missing cells into the catalogue. If cells often arrive late, raise"
              + " locate.max-waiting-records ({}) and locate.max-waiting-bytes ({}), and with them"
              + " the TaskManagers' heap",
          leftSinceWarning,
          queue.size(),
          waitingBytes,
          options.maxWaitingRecords(),
          options.maxWaitingBytes());
      leftSinceWarning = 0;
      nextWarningMillis = nowMillis + MILLIS_BETWEEN_WARNINGS;
    }
  }

  /** Forwards the records whose deadline is at or before the timer's instant. */
  private void expire(long timestampMillis) throws Exception {
    timerMillis = Long.MAX_VALUE;
    // Uses the timer's time, not the clock's. If the clock was adjusted backwards, the deadline
    // would still be ahead, and the timer would be set again and fire again without end.
    forwardUnlocated(queue.pollExpired(timestampMillis), locateMetrics.waitExpired);
    waitingChanged();
  }

  /** Forwards records without coordinates that have left the queue. */
  private void forwardUnlocated(WaitingQueue.Leaving leaving, Counter reason) throws Exception {
    for (long key : leaving.keys()) {
      setCurrentKey(key);
      List<WaitingRecord> stillWaiting = new ArrayList<>();
      for (WaitingRecord waiting : waitingRecords.get()) {
        if (leaving.isLeaving().test(slotOf(waiting, key))) {
          waitingBytes -= waiting.bytes();
          reason.inc();
          emit(waiting, waiting.record().at(null));
        } else {
          stillWaiting.add(waiting);
        }
      }
      waitingRecords.update(stillWaiting);
    }
  }

  /** Forwards the current key's waiting records whose cell is now known or ambiguous. */
  private void releaseLocated(KnownCells known, long key) throws Exception {
    // While no record waits, loading the catalogue does not read this state.
    Iterable<WaitingRecord> all = queue.isEmpty() ? null : waitingRecords.get();
    if (all == null) {
      return;
    }
    List<WaitingRecord> stillWaiting = new ArrayList<>();
    boolean haveSomeGone = false;
    for (WaitingRecord waiting : all) {
      LocationRecord record = waiting.record();
      int candidates = known.candidates(record);
      if (candidates == 0) {
        stillWaiting.add(waiting);
        continue;
      }
      haveSomeGone = true;
      queue.remove(slotOf(waiting, key));
      waitingBytes -= waiting.bytes();
      emit(waiting, atItsCell(record, known, candidates));
    }
    if (haveSomeGone) {
      waitingRecords.update(stillWaiting);
      waitingChanged();
    }
  }

  private void emit(WaitingRecord waiting, LocatedRecord located) {
    output.collect(
        waiting.streamTimestampMillis() == WaitingRecord.NO_TIMESTAMP
            ? new StreamRecord<>(located)
            : new StreamRecord<>(located, waiting.streamTimestampMillis()));
  }

  /** Updates the metrics and the timer after a change of the queue. */
  private void waitingChanged() {
    locateMetrics.setWaiting(queue.size(), waitingBytes);
    long earliestMillis = queue.earliestExpiryMillis();
    // A timer that is too early finds no expired record, and is then set again.
    if (earliestMillis < timerMillis) {
      var unused =
          getProcessingTimeService()
              .registerTimer(
                  earliestMillis,
                  firedMillis -> {
                    if (firedMillis == timerMillis) {
                      expire(firedMillis);
                    }
                  });
      timerMillis = earliestMillis;
    }
  }
}
