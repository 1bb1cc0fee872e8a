package io.lastfix.ledger;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.typeutils.base.VoidSerializer;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.runtime.clusterframework.types.ResourceID;
import org.apache.flink.runtime.executiongraph.ExecutionGraphTestUtils;
import org.apache.flink.runtime.metrics.groups.TaskManagerMetricGroup;
import org.apache.flink.runtime.metrics.util.TestingMetricRegistry;
import org.apache.flink.runtime.operators.testutils.MockEnvironment;
import org.apache.flink.runtime.operators.testutils.MockEnvironmentBuilder;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.jspecify.annotations.Nullable;

/** The ledger of a job, without the job. */
final class LedgerHarness implements AutoCloseable {
  /** The checkpoint that state is restored from. */
  static final long RESTORED = 100;

  private final Map<String, Metric> metrics = new HashMap<>();
  private final OneInputStreamOperatorTestHarness<LedgerEntry, Void> harness;
  private long checkpoint;

  /** Starts it with aligned checkpoints. */
  LedgerHarness(@Nullable OperatorSubtaskState state) throws Exception {
    this(state, false);
  }

  /** Starts it. */
  LedgerHarness(@Nullable OperatorSubtaskState state, boolean isUnaligned) throws Exception {
    harness = new OneInputStreamOperatorTestHarness<>(new LedgerOperator(), environment(metrics));
    harness.getStreamConfig().setUnalignedCheckpointsEnabled(isUnaligned);
    harness.getStreamConfig().serializeAllConfigs();
    harness.setup(VoidSerializer.INSTANCE);
    if (state == null) {
      harness.initializeEmptyState();
    } else {
      harness.setRestoredCheckpointId(RESTORED);
      checkpoint = RESTORED;
      harness.initializeState(state);
    }
    harness.open();
  }

  private static MockEnvironment environment(Map<String, Metric> metrics) {
    TestingMetricRegistry registry =
        TestingMetricRegistry.builder()
            .setRegisterConsumer(
                (metric, name, group) -> {
                  if (group.getMetricIdentifier(name).endsWith(".ledger." + name)) {
                    metrics.put(name, metric);
                  }
                })
            .build();
    return new MockEnvironmentBuilder()
        .setMaxParallelism(1)
        .setParallelism(1)
        .setMetricGroup(
            TaskManagerMetricGroup.createTaskManagerMetricGroup(
                    registry, "host", ResourceID.generate())
                .addJob(new JobID(), "job")
                .addTask(ExecutionGraphTestUtils.createExecutionAttemptId(), "task"))
        .build();
  }

  /** The entry is of the next checkpoint. */
  LedgerHarness entry(LedgerEntry entry) throws Exception {
    return entryOf(checkpoint + 1, entry);
  }

  LedgerHarness entryOf(long checkpointId, LedgerEntry entry) throws Exception {
    harness.processElement(new StreamRecord<>(entry.at(checkpointId)));
    return this;
  }

  /** Takes a checkpoint that is not completed yet. */
  OperatorSubtaskState snapshot() throws Exception {
    checkpoint++;
    return harness.snapshot(checkpoint, 0);
  }

  /** Completes the last one. */
  LedgerHarness complete() throws Exception {
    harness.notifyOfCompletedCheckpoint(checkpoint);
    return this;
  }

  /** Aborts the last one. */
  LedgerHarness abort() throws Exception {
    harness.getOneInputOperator().notifyCheckpointAborted(checkpoint);
    return this;
  }

  /** What the gauges show. */
  Map<String, Long> reported() {
    Map<String, Long> values = new TreeMap<>();
    metrics.forEach((name, gauge) -> values.put(name, (Long) ((Gauge<?>) gauge).getValue()));
    return values;
  }

  long reported(String name) {
    return reported().get(name);
  }

  @Override
  public void close() {
    try {
      harness.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
