package io.lastfix.parse;

import io.lastfix.ledger.LedgerAccount;
import io.lastfix.ledger.LedgerEntry;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.AbstractStreamOperator;
import org.apache.flink.streaming.api.operators.OneInputStreamOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;

/**
 * Forwards rejections to the sink that is chained to it, and sends the number of rejected location
 * records to the ledger. That sink flushes before the barrier, so a completed checkpoint means that
 * Kafka has them. The sink itself has state and a committer, and cannot be wrapped to count.
 */
public final class RejectionCountOperator extends AbstractStreamOperator<RejectedMessage>
    implements OneInputStreamOperator<RejectedMessage, RejectedMessage> {
  private final LedgerAccount account = new LedgerAccount();
  private transient long records;

  private RejectionCountOperator() {}

  /** Adds the operator. The caller sets the uid. */
  public static SingleOutputStreamOperator<RejectedMessage> count(
      DataStream<RejectedMessage> rejected) {
    return rejected.transform(
        "Count rejections",
        TypeInformation.of(RejectedMessage.class),
        new RejectionCountOperator());
  }

  @Override
  public void processElement(StreamRecord<RejectedMessage> element) {
    RejectedMessage rejected = element.getValue();
    // Entries of the catalogue are rejected into the same topic.
    if (rejected.stage().equals(ParseFunction.STAGE)) {
      records += rejected.rejection().records();
    }
    output.collect(element);
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    account.send(LedgerEntry.ofRejected(records), checkpointId, output);
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    account.send(LedgerEntry.ofRejected(records), LedgerEntry.END, output);
  }
}
