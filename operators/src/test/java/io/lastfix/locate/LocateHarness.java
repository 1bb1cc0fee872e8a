package io.lastfix.locate;

import io.lastfix.harness.ObservedEnvironment;
import io.lastfix.model.CellEntry;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.metrics.JobMetrics;
import io.lastfix.serialization.LocatedRecordSerializer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.common.typeutils.base.LongSerializer;
import org.apache.flink.api.java.functions.KeySelector;
import org.apache.flink.contrib.streaming.state.EmbeddedRocksDBStateBackend;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.state.StateBackend;
import org.apache.flink.runtime.state.hashmap.HashMapStateBackend;
import org.apache.flink.runtime.state.heap.HeapKeyedStateBackend;
import org.apache.flink.streaming.api.graph.StreamConfig;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.AbstractStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/**
 * Runs a {@link LocateOperator} on a state backend, with a clock that the test sets. In some runs
 * it takes a snapshot before each event, discards the operator and restores a new one.
 */
final class LocateHarness implements AutoCloseable {
  /** The ways to run a case; all must give the same result. */
  enum Run {
    ON_HEAP(false, false),
    ON_HEAP_RESTORED_BETWEEN_EVENTS(false, true),
    ON_ROCKSDB(true, false),
    ON_ROCKSDB_RESTORED_BETWEEN_EVENTS(true, true);

    private final boolean rocksDb;
    private final boolean restoreBetweenEvents;

    Run(boolean rocksDb, boolean restoreBetweenEvents) {
      this.rocksDb = rocksDb;
      this.restoreBetweenEvents = restoreBetweenEvents;
    }

    private StateBackend stateBackend() {
      return rocksDb ? new EmbeddedRocksDBStateBackend() : new HashMapStateBackend();
    }
  }

  /** An output record with its stream timestamp. */
  record Output(LocatedRecord record, long streamTimestampMillis) {}

  /** Any Kafka append time, for tests that do not depend on it. */
  static final long APPENDED = TestCells.NOON + 250;

  /** Maximum time that a reread of the catalogue may take. */
  static final Duration CATALOG_LIMIT = Duration.ofMinutes(10);

  private final LocateOptions options;
  private final Run run;
  private final List<Output> outputs = new ArrayList<>();
  private final Map<String, Long> countersOfFormerOperators = new HashMap<>();

  private long nowMillis = TestCells.NOON;
  private Running running;

  LocateHarness(LocateOptions options, Run run) throws Exception {
    this(options, run, null);
  }

  LocateHarness(LocateOptions options, Run run, @Nullable OperatorSubtaskState restored)
      throws Exception {
    this.options = options;
    this.run = run;
    this.running = new Running(options, run.stateBackend(), restored, nowMillis);
  }

  LocateHarness record(LocationRecord record) throws Exception {
    return record(new StreamRecord<>(record, APPENDED));
  }

  LocateHarness record(StreamRecord<LocationRecord> element) throws Exception {
    restoreIfAsked();
    running.operator().setKeyContextElement1(element);
    running.operator().processElement1(element);
    return this;
  }

  LocateHarness entry(CellEntry entry) throws Exception {
    restoreIfAsked();
    StreamRecord<CellEntry> element = new StreamRecord<>(entry);
    running.operator().setKeyContextElement2(element);
    running.operator().processElement2(element);
    return this;
  }

  LocateHarness advance(long millis) throws Exception {
    restoreIfAsked();
    nowMillis += millis;
    running.harness.setProcessingTime(nowMillis);
    return this;
  }

  /** Ends both inputs. */
  LocateHarness finish() throws Exception {
    restoreIfAsked();
    running.operator().finish();
    return this;
  }

  /** Simulates that the job is down for that time. */
  LocateHarness restoreAfter(long millis) throws Exception {
    OperatorSubtaskState state = snapshot();
    nowMillis += millis;
    return restore(state);
  }

  LocateHarness restore() throws Exception {
    return restore(snapshot());
  }

  private LocateHarness restore(OperatorSubtaskState state) throws Exception {
    collect();
    running.close();
    running = new Running(options, run.stateBackend(), state, nowMillis);
    // Timers that are due fire when a restored operator runs.
    running.harness.setProcessingTime(nowMillis);
    return this;
  }

  OperatorSubtaskState snapshot() throws Exception {
    return running.harness.snapshot(1, nowMillis);
  }

  /** Returns all outputs so far. */
  List<Output> outputs() {
    collectOutputs();
    return List.copyOf(outputs);
  }

  List<LocatedRecord> records() {
    return outputs().stream().map(Output::record).toList();
  }

  /** Returns a counter summed over all operators of this run. */
  long counter(String name) {
    return countersOfFormerOperators.getOrDefault(name, 0L) + running.counter(name).getCount();
  }

  long gauge(String name) {
    return (Long) ((Gauge<?>) running.metric(name)).getValue();
  }

  int stateEntries() {
    return running.keyedStateEntries();
  }

  private void restoreIfAsked() throws Exception {
    if (run.restoreBetweenEvents) {
      restore();
    }
  }

  private void collect() {
    collectOutputs();
    running.metrics.forEach(
        (name, metric) -> {
          if (metric instanceof Counter counter) {
            countersOfFormerOperators.merge(name, counter.getCount(), Long::sum);
          }
        });
  }

  private void collectOutputs() {
    for (StreamRecord<? extends LocatedRecord> output :
        running.harness.extractOutputStreamRecords()) {
      outputs.add(new Output(output.getValue(), output.getTimestamp()));
    }
    running.harness.getOutput().clear();
  }

  @Override
  public void close() {
    running.close();
  }

  /** One operator, from its start or restore to its end. */
  private static final class Running {
    private final Map<String, Metric> metrics = new HashMap<>();
    private final AbstractStreamOperatorTestHarness<LocatedRecord> harness;

    Running(
        LocateOptions options,
        StateBackend backend,
        @Nullable OperatorSubtaskState state,
        long nowMillis)
        throws Exception {
      harness =
          new AbstractStreamOperatorTestHarness<>(
              new LocateOperator(options, RemovalRetention.DEFAULT, CATALOG_LIMIT),
              ObservedEnvironment.of(JobMetrics.LOCATE, metrics));
      KeySelector<LocationRecord, Long> keyOfRecord = LocateOperator::keyOf;
      KeySelector<CellEntry, Long> keyOfEntry = entry -> entry.cell().lookupKey();
      StreamConfig config = harness.getStreamConfig();
      config.setStatePartitioner(0, keyOfRecord);
      config.setStatePartitioner(1, keyOfEntry);
      config.setStateKeySerializer(LongSerializer.INSTANCE);
      config.serializeAllConfigs();
      harness.setStateBackend(backend);
      harness.setProcessingTime(nowMillis);
      harness.setup(new LocatedRecordSerializer());
      if (state == null) {
        harness.initializeEmptyState();
      } else {
        harness.initializeState(state);
      }
      harness.open();
    }

    LocateOperator operator() {
      return (LocateOperator) harness.getOperator();
    }

    int keyedStateEntries() {
      return ((HeapKeyedStateBackend<?>) operator().<Long>getKeyedStateBackend())
          .numKeyValueStateEntries();
    }

    Metric metric(String name) {
      Metric metric = metrics.get(name);
      if (metric == null) {
        throw new IllegalArgumentException("No metric " + name + " among " + metrics.keySet());
      }
      return metric;
    }

    Counter counter(String name) {
      return (Counter) metric(name);
    }

    void close() {
      try {
        harness.close();
      } catch (Exception e) {
        throw new IllegalStateException("Closing the operator failed", e);
      }
    }
  }
}
