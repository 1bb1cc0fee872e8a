package io.lastfix.analytics.counts;

import io.lastfix.analytics.distinct.DistinctFunction;
import io.lastfix.model.LocatedRecord;
import io.lastfix.serialization.RecordTypes;
import io.lastfix.store.counts.WindowCount;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.api.watermark.Watermark;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * The operators from located records to counts, connected as the job connects them, and a store
 * that treats writes as MongoDB does.
 */
final class CountsHarness {
  /** The states of the three operators. */
  record Snapshot(
      OperatorSubtaskState distinct, OperatorSubtaskState combine, OperatorSubtaskState count) {}

  private final Grouping grouping;
  private final Map<WindowCount.Id, WindowCount> stored;
  private final List<WindowCount> published = new ArrayList<>();

  private final KeyedOneInputStreamOperatorTestHarness<String, LocatedRecord, LocatedRecord>
      distinct;
  private final OneInputStreamOperatorTestHarness<LocatedRecord, PartialCount> combine;
  private final KeyedOneInputStreamOperatorTestHarness<String, PartialCount, WindowCount> count;

  CountsHarness(Grouping grouping) throws Exception {
    this(grouping, new HashMap<>(), null);
  }

  private CountsHarness(
      Grouping grouping, Map<WindowCount.Id, WindowCount> stored, @Nullable Snapshot from)
      throws Exception {
    this.grouping = grouping;
    this.stored = stored;
    distinct =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(new DistinctFunction()), LocatedRecord::user, Types.STRING);
    combine = new OneInputStreamOperatorTestHarness<>(new CombineOperator(grouping));
    count =
        new KeyedOneInputStreamOperatorTestHarness<>(
            new KeyedProcessOperator<>(CountFunction.ofStream()), PartialCount::key, Types.STRING);
    open(distinct, RecordTypes.LOCATED_RECORD, from == null ? null : from.distinct());
    open(combine, Types.POJO(PartialCount.class), from == null ? null : from.combine());
    open(count, Types.POJO(WindowCount.class), from == null ? null : from.count());
  }

  private static <T> void open(
      AbstractStreamOperatorTestHarness<T> harness,
      TypeInformation<T> type,
      @Nullable OperatorSubtaskState state)
      throws Exception {
    harness.setup(type.createSerializer(harness.getExecutionConfig().getSerializerConfig()));
    if (state != null) {
      harness.initializeState(state);
    }
    harness.open();
  }

  CountsHarness record(LocatedRecord record) throws Exception {
    distinct.processElement(new StreamRecord<>(record, record.timestampMillis()));
    return forward();
  }

  CountsHarness watermark(long millis) throws Exception {
    distinct.processWatermark(new Watermark(millis));
    return forward();
  }

  /** Advances the clock, so that held counts are forwarded. */
  CountsHarness second() throws Exception {
    combine.setProcessingTime(combine.getProcessingTime() + CombineOperator.HELD_MILLIS);
    return forward();
  }

  private CountsHarness forward() throws Exception {
    pass(distinct, combine);
    pass(combine, count);
    for (Object element = count.getOutput().poll();
        element != null;
        element = count.getOutput().poll()) {
      if (element instanceof StreamRecord<?> published) {
        store((WindowCount) published.getValue());
      }
    }
    return this;
  }

  @SuppressWarnings("unchecked")
  private static <T> void pass(
      OneInputStreamOperatorTestHarness<?, T> from, OneInputStreamOperatorTestHarness<T, ?> to)
      throws Exception {
    for (Object element = from.getOutput().poll();
        element != null;
        element = from.getOutput().poll()) {
      if (element instanceof Watermark watermark) {
        to.processWatermark(watermark);
      } else {
        to.processElement((StreamRecord<T>) element);
      }
    }
  }

  /** As {@link WindowCount#toUpsert} has it: the number grows, and the state does not go back. */
  private void store(WindowCount count) {
    published.add(count);
    stored.merge(
        count.id(),
        count,
        (old, added) ->
            new WindowCount(
                old.windowMillis(),
                old.by(),
                old.key(),
                Math.max(old.n(), added.n()),
                old.state().compareTo(added.state()) >= 0 ? old.state() : added.state(),
                Math.max(old.rev(), added.rev())));
  }

  /** Takes a checkpoint, with what Flink does before it. */
  Snapshot checkpoint(long id) throws Exception {
    combine.prepareSnapshotPreBarrier(id);
    var unused = forward();
    return new Snapshot(distinct.snapshot(id, 0), combine.snapshot(id, 0), count.snapshot(id, 0));
  }

  /** Ends this attempt, and begins the next one with that state and the same store. */
  CountsHarness restored(@Nullable Snapshot from) throws Exception {
    close();
    return new CountsHarness(grouping, stored, from);
  }

  Map<WindowCount.Id, WindowCount> stored() {
    return stored;
  }

  List<WindowCount> published() {
    return published;
  }

  /** Keyed state and timers of the first operator and the last. */
  int stateEntries() {
    return distinct.numKeyedStateEntries()
        + distinct.numEventTimeTimers()
        + count.numKeyedStateEntries()
        + count.numEventTimeTimers();
  }

  void close() throws Exception {
    distinct.close();
    combine.close();
    count.close();
  }
}
