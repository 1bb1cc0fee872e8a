package io.lastfix.locate;

import io.lastfix.locate.WaitingQueue.Place;
import io.lastfix.model.CellEntry;
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
import org.apache.flink.streaming.api.operators.InternalTimer;
import org.apache.flink.streaming.api.operators.InternalTimerService;
import org.apache.flink.streaming.api.operators.Triggerable;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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
 *       deadline it goes on without coordinates; so do the oldest of the subtask while more wait in
 *       it than {@link LocateOptions} allow, and all that wait when both inputs end. After a
 *       restore it waits the whole of {@link LocateOptions#maxWait()} once more: its entry may have
 *       been published while the job was down, and not been read yet. Where the source reads the
 *       catalogue anew it waits no less than that may take.
 * </ul>
 *
 * <p><b>Kept per key:</b> what is known, until the catalogue removes it, and for {@link
 * KnownCellsState#REMOVAL_KEPT} more that it was removed; the waiting records, until they go on. Of
 * state that is older than {@link RemovalRetention} allows only the removals are restored, and what
 * waits. <b>Kept per subtask,</b> in memory: the {@link WaitingQueue} of all keys, and one timer
 * for the earliest deadline in it. Where records leave because there are too many, a 16th of them
 * leaves at once, so that a key's list is not written anew for each.
 *
 * <p>This is an operator and not a {@code KeyedCoProcessFunction} since a function can neither emit
 * a record with another timestamp than its input's, nor count what waits in restored state. Metrics
 * are in the group {@code locate}.
 */
public final class LocateOperator extends AbstractStreamOperator<LocatedRecord>
    implements TwoInputStreamOperator<LocationRecord, CellEntry, LocatedRecord>,
        Triggerable<Long, VoidNamespace> {

  private static final Logger JOIN_LOG = LoggerFactory.getLogger(LocateOperator.class);

  /** Of what waits, this part leaves at once where there is too much of it. */
  private static final int LEAVING_PART = 16;

  private static final long MILLIS_BETWEEN_WARNINGS = 60_000;

  private final ValueStateDescriptor<KnownCells> knownCellsDescriptor =
      new ValueStateDescriptor<>("known-cells", new KnownCellsSerializer());
  private final ListStateDescriptor<WaitingRecord> waitingRecordsDescriptor =
      new ListStateDescriptor<>("waiting-records", new WaitingRecordSerializer());

  /** Of former releases, as the service of timers is: nothing is written to either any more. */
  private final ValueStateDescriptor<WaitingSummary> waitingSummaryDescriptor =
      new ValueStateDescriptor<>("waiting-summary", new WaitingSummarySerializer());

  /** When each subtask took its part of a checkpoint; former releases did not write it. */
  private final ListStateDescriptor<Long> checkpointedAtDescriptor =
      new ListStateDescriptor<>("checkpointed-at", Types.LONG);

  /** Has one element for each subtask that has met no location record since it read anew. */
  private final ListStateDescriptor<Boolean> readsAnewDescriptor =
      new ListStateDescriptor<>("reads-catalog-anew", Types.BOOLEAN);

  private final LocateOptions options;
  private final RemovalRetention removals;
  private final Duration catalogLimit;

  private transient ListState<Long> checkpointedAt;
  private transient ListState<Boolean> readsAnew;
  private transient KnownCellsState knownCells;
  private transient ListState<WaitingRecord> waitingRecords;
  private transient WaitingQueue queue;
  private transient LocateMetrics locateMetrics;

  /** What the records of the queue are counted with. */
  private transient long waitingBytes;

  /** The arrival of the last record that came to wait. */
  private transient long lastArrival;

  /** What the only timer is set for; {@code Long.MAX_VALUE} if it is not. */
  private transient long timerMillis;

  /** The deadline of a record that had begun to wait when this operator started. */
  private transient long earliestExpiryMillis;

  /** Whether the catalogue may still be being read anew; the first location record ends that. */
  private transient boolean mayReadAnew;

  /** The arrival of the last record that had begun to wait when this operator started. */
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
   * @param entries any partitioning and order; of the entries of one cell id that with the greatest
   *     revision counts
   * @param removals the source of the entries must read all of them anew where state is restored
   *     that is older than this allows
   * @param catalogLimit how long that may take
   */
  public static SingleOutputStreamOperator<LocatedRecord> locate(
      DataStream<LocationRecord> records,
      DataStream<CellEntry> entries,
      LocateOptions options,
      RemovalRetention removals,
      Duration catalogLimit) {
    return records
        .connect(entries)
        .keyBy(record -> record.cell().lookupKey(), entry -> entry.cell().lookupKey(), Types.LONG)
        .transform(
            "Locate",
            RecordTypes.LOCATED_RECORD,
            new LocateOperator(options, removals, catalogLimit));
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    // Each subtask sees what all have written: after rescaling, it has keys of any of them.
    checkpointedAt = context.getOperatorStateStore().getUnionListState(checkpointedAtDescriptor);
    readsAnew = context.getOperatorStateStore().getUnionListState(readsAnewDescriptor);
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    checkpointedAt.update(List.of(nowMillis()));
    mayReadAnew &= nowMillis() < earliestExpiryMillis;
    readsAnew.update(mayReadAnew ? List.of(true) : List.of());
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
    removeTimersOfFormerReleases();
    mindTheAgeOfTheState();
    queueRestored();
  }

  @Override
  public void processElement1(StreamRecord<LocationRecord> element) throws Exception {
    locateMetrics.records.inc();
    mayReadAnew = false;
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
      releaseLocated(known(), element.getValue().cell().lookupKey());
    }
  }

  @Override
  public void onProcessingTime(InternalTimer<Long, VoidNamespace> timer) {
    throw new IllegalStateException("Expected no timer in the state: open() removes restored ones");
  }

  @Override
  public void onEventTime(InternalTimer<Long, VoidNamespace> timer) {
    throw new IllegalStateException("Expected no event-time timer: none is ever set");
  }

  /** Both inputs have ended: no entry can come any more, and no timer would fire. */
  @Override
  public void finish() throws Exception {
    letGo(queue.pollExpired(Long.MAX_VALUE), locateMetrics.waitExpired);
    waitingChanged();
    super.finish();
  }

  private long nowMillis() {
    return getProcessingTimeService().getCurrentProcessingTime();
  }

  private void removeTimersOfFormerReleases() throws Exception {
    InternalTimerService<VoidNamespace> timers =
        getInternalTimerService("waiting", VoidNamespaceSerializer.INSTANCE, this);
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            waitingSummaryDescriptor,
            (key, summary) -> {
              timers.deleteProcessingTimeTimer(
                  VoidNamespace.INSTANCE, summary.value().timerMillis());
              summary.clear();
            });
  }

  private void mindTheAgeOfTheState() throws Exception {
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
    // Reading it may take several attempts, and from the second on the state is a young one.
    mayReadAnew = removals.isReadAnew(newest, now) || readsAnew.get().iterator().hasNext();
    if (mayReadAnew) {
      earliestExpiryMillis =
          Math.max(earliestExpiryMillis, Math.addExact(nowMillis, catalogLimit.toMillis()));
    }
    if (removals.isForgotten(newest, now)) {
      forgetCells(newest);
    }
  }

  /**
   * State that is so old may have missed a removal that Kafka has deleted. The source reads the
   * catalogue anew then, and no location record comes before that is done. What waits stays.
   */
  private void forgetCells(Instant newest) throws Exception {
    LongAdder forgotten = new LongAdder();
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            knownCellsDescriptor,
            (key, known) -> forgotten.add(KnownCellsState.forgetCells(known)));
    JOIN_LOG.warn(
        "The restored state is of {}, and the catalogue's topic keeps removals for {}: one may have"
            + " been missed. All {} cells that this subtask knew are forgotten, and come back as"
            + " the catalogue is read anew",
        newest,
        removals.kept(),
        forgotten);
  }

  private void queueRestored() throws Exception {
    List<Place> places = new ArrayList<>();
    lastRestoredArrival = Long.MAX_VALUE;
    this.<Long>getKeyedStateBackend()
        .applyToAllKeys(
            VoidNamespace.INSTANCE,
            VoidNamespaceSerializer.INSTANCE,
            waitingRecordsDescriptor,
            (key, list) -> {
              for (WaitingRecord waiting : withArrivals(list)) {
                places.add(placeOf(waiting, key));
                waitingBytes += waiting.bytes();
                lastArrival = Math.max(lastArrival, waiting.arrival());
              }
            });
    Collections.sort(places);
    places.forEach(queue::add);
    lastRestoredArrival = lastArrival;
    waitingChanged();
  }

  /** Gives those an arrival that a former release left without; a key's list is in their order. */
  private List<WaitingRecord> withArrivals(ListState<WaitingRecord> list) throws Exception {
    List<WaitingRecord> all = new ArrayList<>();
    boolean wereAllNumbered = true;
    long arrival = WaitingRecord.NO_ARRIVAL;
    for (WaitingRecord waiting : list.get()) {
      boolean isNumbered = waiting.arrival() != WaitingRecord.NO_ARRIVAL;
      wereAllNumbered &= isNumbered;
      arrival =
          isNumbered
              ? waiting.arrival()
              : WaitingRecord.arrivalAfter(
                  arrival, waiting.deadlineMillis() - options.maxWait().toMillis());
      all.add(isNumbered ? waiting : waiting.withArrival(arrival));
    }
    if (!wereAllNumbered) {
      list.update(all);
    }
    return all;
  }

  /**
   * Where a record stands in the queue. A restored one does not expire before its wait can have
   * been of any use: while the job was down no entry could come, and those written meanwhile have
   * yet to be read.
   */
  private Place placeOf(WaitingRecord waiting, long key) {
    long deadlineMillis = waiting.deadlineMillis();
    return new Place(
        waiting.arrival() <= lastRestoredArrival
            ? Math.max(deadlineMillis, earliestExpiryMillis)
            : deadlineMillis,
        waiting.arrival(),
        key);
  }

  private KnownCells known() throws IOException {
    return knownCells.get();
  }

  private void awaitCell(StreamRecord<LocationRecord> element) throws Exception {
    LocationRecord record = element.getValue();
    long nowMillis = nowMillis();
    lastArrival = WaitingRecord.arrivalAfter(lastArrival, nowMillis);
    WaitingRecord waiting =
        new WaitingRecord(
            record, element.getTimestamp(), options.deadlineMillis(nowMillis), lastArrival);
    waitingRecords.add(waiting);
    queue.add(placeOf(waiting, record.cell().lookupKey()));
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
      letGo(queue.pollOldest(leaving), locateMetrics.waitFull);
    } while (isFull());
    leftSinceWarning += before - queue.size();
    if (nowMillis >= nextWarningMillis) {
      JOIN_LOG.warn(
          "Too many records wait for cells that the catalogue does not have: the oldest {} of this"
              + " subtask were forwarded without coordinates, for good. {} records ({} bytes) still"
              + " wait. Load the missing cells into the catalogue; if they come late as a rule,"
              + " raise locate.max-waiting-records ({}) and locate.max-waiting-bytes ({}), and the"
              + " TaskManagers' heap with them",
          leftSinceWarning,
          queue.size(),
          waitingBytes,
          options.maxWaitingRecords(),
          options.maxWaitingBytes());
      leftSinceWarning = 0;
      nextWarningMillis = nowMillis + MILLIS_BETWEEN_WARNINGS;
    }
  }

  /** Lets those go whose deadline is not after the instant that the timer was set for. */
  private void expire(long timestampMillis) throws Exception {
    timerMillis = Long.MAX_VALUE;
    // The timer's time, not the clock's: after a step back of the clock the deadline would still be
    // ahead, and the timer, set for it again, would fire again without end.
    letGo(queue.pollExpired(timestampMillis), locateMetrics.waitExpired);
    waitingChanged();
  }

  /** Forwards records without coordinates that have left the queue. */
  private void letGo(WaitingQueue.Leaving leaving, Counter reason) throws Exception {
    for (long key : leaving.keys()) {
      setCurrentKey(key);
      List<WaitingRecord> stillWaiting = new ArrayList<>();
      for (WaitingRecord waiting : waitingRecords.get()) {
        if (leaving.isOneOfThem().test(placeOf(waiting, key))) {
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

  /** Lets those of the current key's waiting records go whose cell is known now, or ambiguous. */
  private void releaseLocated(KnownCells known, long key) throws Exception {
    // Loading the catalogue while nothing waits asks the state no more than it must.
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
      queue.remove(placeOf(waiting, key));
      waitingBytes -= waiting.bytes();
      if (candidates == 1) {
        locateMetrics.located.inc();
        emit(waiting, record.at(known.positionOf(record)));
      } else {
        locateMetrics.ambiguous.inc();
        emit(waiting, record.at(null));
      }
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

  /** Keeps the metrics and the timer true to the queue. */
  private void waitingChanged() {
    locateMetrics.setWaiting(queue.size(), waitingBytes);
    long earliestMillis = queue.earliestExpiryMillis();
    // One that is set for too early finds nothing to do, and is set anew then.
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
