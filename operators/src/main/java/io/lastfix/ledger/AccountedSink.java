package io.lastfix.ledger;

import java.io.IOException;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessageTypeInfo;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.runtime.operators.sink.SinkWriterOperatorFactory;
import org.apache.flink.util.Collector;

/**
 * Writes a stream into a sink that has no state and nothing to commit, and puts out the sink's
 * entries of the ledger.
 *
 * <p>Flink's operator of a writer puts something out on one occasion: between the flush and the
 * checkpoint barrier, it sends what is to be committed. An entry of the ledger has to be sent at
 * just that time. So to Flink the entries are what the writer commits, and the ledger stands where
 * a committer would.
 */
public final class AccountedSink {
  private AccountedSink() {}

  /**
   * Adds the sink's operators.
   *
   * @param uid the writer's; with {@code -ledger} that of the operator behind it
   * @param name the sink's
   * @return the entries of the ledger
   */
  public static <T> SingleOutputStreamOperator<LedgerEntry> write(
      DataStream<T> records, Sink<T> sink, String uid, String name) {
    return records
        .transform(
            name + ": Writer",
            CommittableMessageTypeInfo.of(LedgerEntrySerializer.OfSink::new),
            new SinkWriterOperatorFactory<>(new Committing<>(sink)))
        .uid(uid)
        .flatMap(AccountedSink::passEntry)
        .returns(LedgerEntry.TYPE)
        .uid(uid + "-ledger")
        .name(name + " ledger");
  }

  /**
   * Leaves out the messages that announce how many entries follow. Flink does not tell the writer
   * the checkpoint's number, but puts it beside what the writer commits.
   */
  private static void passEntry(
      CommittableMessage<LedgerEntry> message, Collector<LedgerEntry> out) {
    if (message instanceof CommittableWithLineage<LedgerEntry> entry) {
      out.collect(entry.getCommittable().at(entry.getCheckpointIdOrEOI()));
    }
  }

  private record Committing<T>(Sink<T> sink) implements Sink<T>, SupportsCommitter<LedgerEntry> {
    @Override
    public SinkWriter<T> createWriter(WriterInitContext context) throws IOException {
      return AccountedWriter.of(sink.createWriter(context));
    }

    @Override
    public Committer<LedgerEntry> createCommitter(CommitterInitContext context) {
      throw new UnsupportedOperationException("The ledger receives what the writer commits");
    }

    @Override
    public SimpleVersionedSerializer<LedgerEntry> getCommittableSerializer() {
      return new LedgerEntrySerializer.OfSink();
    }

    @Override
    @Deprecated // Flink deprecates it and calls the other one, but it is still abstract.
    public SinkWriter<T> createWriter(InitContext context) {
      throw new UnsupportedOperationException("Flink 1.20 calls createWriter(WriterInitContext)");
    }
  }
}
