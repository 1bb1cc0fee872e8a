package io.lastfix.ledger;

import io.lastfix.model.metrics.JobMetrics;
import java.util.List;
import java.util.TreeMap;
import java.util.function.ToLongFunction;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.state.StateInitializationContext;
import org.apache.flink.runtime.state.StateSnapshotContext;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds up the entries of all operators, and reports the sums of the last completed checkpoint.
 *
 * <p>Every entry arrives before the barrier that its subtask sent it in front of. So at the
 * operator's own barrier it has exactly the counts of the checkpoint's cut, whatever the
 * parallelism of the others. The sums are the operator's state, and the other operators need none:
 * what they count after a checkpoint is lost with them if the job resumes from it, and is counted
 * once more with the replayed records.
 *
 * <p>With unaligned or at-least-once checkpoints the operator keeps no sums, and says so in its
 * state: records in flight belong to such a checkpoint, and no operator has counted their end. If a
 * job with aligned checkpoints resumes from that state, the ledger begins with its first
 * checkpoint: at that barrier nothing is in flight, so the records that have ended or wait are the
 * records in.
 */
public final class LedgerOperator extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<LedgerEntry, Void> {
  /** Its uid and its name. */
  public static final String NAME = JobMetrics.LEDGER;

  private static final Logger LEDGER_LOG = LoggerFactory.getLogger(LedgerOperator.class);

  private transient ListState<LedgerEntry> state;

  /** One value if the state has no sums because the checkpoint is unaligned or at least once. */
  private transient ListState<Boolean> withoutSums;

  private transient boolean beginsAtNextBarrier;

  /** Whether entries that were in flight at the restored checkpoint may still arrive. */
  private transient boolean mayReceiveFormerEntries;

  private transient long restoredCheckpoint;
  private transient LedgerEntry sums;

  /** Whether checkpoints are aligned and exactly once; otherwise there is no ledger. */
  private transient boolean isExact;

  /** The sums of the last completed checkpoint. */
  private transient volatile LedgerEntry reported;

  /** By checkpoint that is not completed yet. */
  private transient TreeMap<Long, LedgerEntry> open;

  /** Adds the ledger of a job: one subtask that receives all entries. */
  public static void of(DataStream<LedgerEntry> entries) {
    entries
        .global()
        .transform(NAME, Types.VOID, new LedgerOperator())
        .uid(NAME)
        .name(NAME)
        .forceNonParallel();
  }

  @Override
  public void initializeState(StateInitializationContext context) throws Exception {
    super.initializeState(context);
    state =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("sums", LedgerEntry.TYPE));
    withoutSums =
        context
            .getOperatorStateStore()
            .getListState(new ListStateDescriptor<>("without-sums", Types.BOOLEAN));
    open = new TreeMap<>();
    sums = LedgerEntry.NONE;
    restoredCheckpoint = context.getRestoredCheckpointId().orElse(0);
    isExact =
        getOperatorConfig().isExactlyOnceCheckpointMode()
            && !getOperatorConfig().isUnalignedCheckpointsEnabled();
    reported = LedgerEntry.NONE;
    if (isExact) {
      registerGauges();
    }
    beginsAtNextBarrier = isExact && withoutSums.get().iterator().hasNext();
    mayReceiveFormerEntries = beginsAtNextBarrier;
    if (beginsAtNextBarrier) {
      LEDGER_LOG.warn(
          "Checkpoint {}, from which the job resumes, is of a job with unaligned or at-least-once"
              + " checkpoints, so it has no ledger. The ledger begins at the next checkpoint.",
          restoredCheckpoint);
    }
    for (LedgerEntry restored : state.get()) {
      reported = restored.at(restoredCheckpoint);
      // The subtasks that restore waiting records report them again.
      sums = restored.minus(LedgerEntry.ofWaiting(restored.waiting()));
    }
  }

  @Override
  public void processElement(StreamRecord<LedgerEntry> element) {
    LedgerEntry entry = element.getValue();
    // An entry of a former checkpoint was in flight in an unaligned one. Its subtask counts anew.
    // Otherwise the number says nothing: a sink whose input ends before its first barrier sends
    // its entry with number 1, because Flink tells only tasks with state from where they resume.
    boolean isFormer = mayReceiveFormerEntries && entry.checkpoint() <= restoredCheckpoint;
    if (isExact && !isFormer) {
      sums = sums.plus(entry);
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
    if (!isExact) {
      state.clear();
      withoutSums.update(List.of(true));
      return;
    }
    if (beginsAtNextBarrier) {
      sums = sums.plus(LedgerEntry.ofIn(-sums.unaccounted()));
      beginsAtNextBarrier = false;
    }
    withoutSums.clear();
    state.update(List.of(sums));
    open.put(context.getCheckpointId(), sums);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    LedgerEntry completed = open.get(checkpointId);
    open.headMap(checkpointId, true).clear();
    if (completed == null) {
      return;
    }
    reported = completed.at(checkpointId);
    if (completed.unaccounted() != 0) {
      LEDGER_LOG.error(
          "The ledger of checkpoint {} does not balance: {} records are unaccounted for. {}",
          checkpointId,
          completed.unaccounted(),
          completed);
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    open.remove(checkpointId);
  }

  /**
   * The gauges of the ledger, in the operator's group {@code ledger}. All are of the last completed
   * checkpoint, and survive restarts, savepoints and changes of the parallelism.
   *
   * <ul>
   *   <li>{@code checkpoint}: the number of that checkpoint, 0 before the first
   *   <li>{@code in}: what came in
   *   <li>{@code stored}, {@code duplicates}, {@code erased}, {@code rejected}, {@code notRecords},
   *       {@code waiting}: what became of it, see {@link LedgerEntry}
   *   <li>{@code unaccounted}: {@code in} less the others. <b>It is 0</b>. Alert if not: records
   *       are lost, or counted twice
   * </ul>
   */
  private void registerGauges() {
    MetricGroup group = getMetricGroup().addGroup(JobMetrics.LEDGER);
    group.gauge(JobMetrics.CHECKPOINT, gauge(LedgerEntry::checkpoint));
    group.gauge(JobMetrics.IN, gauge(LedgerEntry::in));
    group.gauge(JobMetrics.STORED, gauge(LedgerEntry::stored));
    group.gauge(JobMetrics.DUPLICATES, gauge(LedgerEntry::duplicates));
    group.gauge(JobMetrics.ERASED, gauge(LedgerEntry::erased));
    group.gauge(JobMetrics.REJECTED, gauge(LedgerEntry::rejected));
    group.gauge(JobMetrics.NOT_RECORDS, gauge(LedgerEntry::notRecords));
    group.gauge(JobMetrics.WAITING, gauge(LedgerEntry::waiting));
    group.gauge(JobMetrics.UNACCOUNTED, gauge(LedgerEntry::unaccounted));
  }

  private Gauge<Long> gauge(ToLongFunction<LedgerEntry> term) {
    return () -> term.applyAsLong(reported);
  }
}
