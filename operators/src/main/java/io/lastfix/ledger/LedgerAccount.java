package io.lastfix.ledger;

import java.io.Serializable;
import org.apache.flink.streaming.api.operators.Output;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/** What a subtask has counted since its start, and how much of it the ledger already has. */
public final class LedgerAccount implements Serializable {
  private LedgerEntry sent = LedgerEntry.NONE;

  /**
   * Returns what was counted since the last call. The ledger keeps the sums, so an operator needs
   * no state: after a failure both the operator's counters and its account begin at zero, as the
   * replayed records do.
   *
   * @param counted since the subtask's start
   */
  public LedgerEntry next(LedgerEntry counted) {
    LedgerEntry next = counted.minus(sent);
    sent = counted;
    return next;
  }

  /**
   * Sends an operator's {@linkplain #next counts} to the ledger.
   *
   * @param checkpointId the checkpoint in front of whose barrier they are sent, or {@link
   *     LedgerEntry#END}
   */
  public void send(LedgerEntry counted, long checkpointId, Output<?> output) {
    output.collect(LedgerEntry.OUTPUT, new StreamRecord<>(next(counted).at(checkpointId)));
  }
}
