package io.lastfix.parse;

import io.lastfix.ledger.LedgerAccount;
import io.lastfix.ledger.LedgerEntry;
import io.lastfix.model.LocationRecord;
import io.lastfix.serialization.RecordTypes;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.operators.ProcessOperator;

/**
 * Runs a {@link ParseFunction}, and sends to the ledger how many records it found, and how much
 * that is none. The function cannot do that: Flink calls none before a barrier.
 */
public final class ParseOperator extends ProcessOperator<RawMessage, LocationRecord> {
  private final ParseFunction parse;
  private final LedgerAccount account = new LedgerAccount();

  private ParseOperator(ParseFunction parse) {
    super(parse);
    this.parse = parse;
  }

  /**
   * Adds the operator. The caller sets the uid.
   *
   * @param name the operator's
   */
  public static SingleOutputStreamOperator<LocationRecord> parse(
      DataStream<RawMessage> messages, ParseFunction parse, String name) {
    return messages.transform(name, RecordTypes.LOCATION_RECORD, new ParseOperator(parse));
  }

  @Override
  public void prepareSnapshotPreBarrier(long checkpointId) throws Exception {
    super.prepareSnapshotPreBarrier(checkpointId);
    account.send(parse.counted(), checkpointId, output);
  }

  @Override
  public void finish() throws Exception {
    super.finish();
    account.send(parse.counted(), LedgerEntry.END, output);
  }
}
