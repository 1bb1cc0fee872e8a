package io.lastfix.ledger;

import java.util.List;
import java.util.TreeMap;
import org.apache.flink.api.common.state.ListState;
import org.apache.flink.api.common.state.ListStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
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
 * <p>State of a former release has no ledger. The sums then begin at zero, and the records that
 * wait in that state count as records in.
 *
 * <p>A checkpoint without aligned barriers is no cut in this sense: records in flight are in it,
 * and no operator has counted them as ended. With such checkpoints the operator adds up, but
 * reports nothing.
 */
public final class LedgerOperator extends AbstractStreamOperator<Void>
    implements OneInputStreamOperator<LedgerEntry, Void> {
  /** Its uid and its name. */
  public static final String NAME = "ledger";

  private static final long serialVersionUID = 1;
  private static final Logger LEDGER_LOG = LoggerFactory.getLogger(LedgerOperator.class);

  private transient ListState<LedgerEntry> state;
  private transient boolean hasState;
  private transient LedgerEntry sums;
  private transient LedgerMetrics ledgerMetrics;

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
    open = new TreeMap<>();
    sums = LedgerEntry.NONE;
    hasState = false;
    for (LedgerEntry restored : state.get()) {
      sums = restored;
      hasState = true;
    }
    boolean isExact =
        getOperatorConfig().isExactlyOnceCheckpointMode()
            && !getOperatorConfig().isUnalignedCheckpointsEnabled();
    ledgerMetrics = new LedgerMetrics(getMetricGroup(), isExact);
    if (hasState) {
      ledgerMetrics.completed(context.getRestoredCheckpointId().orElse(0), sums);
      // The subtasks that restore waiting records report them again.
      sums = sums.minus(LedgerEntry.ofWaiting(sums.waiting(), 0));
    }
  }

  @Override
  public void processElement(StreamRecord<LedgerEntry> element) {
    LedgerEntry entry = element.getValue();
    sums = sums.plus(entry.minus(LedgerEntry.ofWaiting(0, entry.opening())));
    if (!hasState) {
      sums = sums.plus(LedgerEntry.ofIn(entry.opening()));
    }
  }

  @Override
  public void snapshotState(StateSnapshotContext context) throws Exception {
    super.snapshotState(context);
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
    ledgerMetrics.completed(checkpointId, completed);
    if (ledgerMetrics.isExact() && completed.unaccounted() != 0) {
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
}
