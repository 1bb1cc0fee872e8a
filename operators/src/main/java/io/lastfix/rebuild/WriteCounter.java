package io.lastfix.rebuild;

import io.lastfix.ledger.LedgerEntry;
import org.apache.flink.api.common.accumulators.IntMaximum;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;

/**
 * Counts in accumulators what the sink of a bounded job wrote, which its entries of the ledger say:
 * {@value #WRITTEN} counts the documents changed, {@value #RESTARTS} says how often the job was
 * restarted. Unlike a metric, an accumulator is readable after the job has ended. The count is that
 * of the last attempt; what an earlier attempt has written is not in it.
 */
public final class WriteCounter extends RichMapFunction<LedgerEntry, LedgerEntry> {
  /** Accumulator: documents that the sink changed in the job's last attempt. */
  public static final String WRITTEN = "written";

  /** Accumulator: attempts of the job before its last one. */
  public static final String RESTARTS = "restarts";

  private final LongCounter written = new LongCounter();
  private final IntMaximum restarts = new IntMaximum();

  @Override
  public void open(OpenContext context) {
    getRuntimeContext().addAccumulator(WRITTEN, written);
    getRuntimeContext().addAccumulator(RESTARTS, restarts);
    restarts.add(getRuntimeContext().getTaskInfo().getAttemptNumber());
  }

  @Override
  public LedgerEntry map(LedgerEntry entry) {
    written.add(entry.stored());
    return entry;
  }
}
