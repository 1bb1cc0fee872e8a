package io.lastfix.sink;

import java.io.IOException;
import java.io.Serializable;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import org.apache.flink.api.common.accumulators.IntMaximum;
import org.apache.flink.api.common.accumulators.LongCounter;
import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.functions.RichMapFunction;
import org.apache.flink.api.connector.sink2.Committer;
import org.apache.flink.api.connector.sink2.CommitterInitContext;
import org.apache.flink.api.connector.sink2.CommittingSinkWriter;
import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.SupportsCommitter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessage;
import org.apache.flink.streaming.api.connector.sink2.CommittableMessageTypeInfo;
import org.apache.flink.streaming.api.connector.sink2.CommittableWithLineage;
import org.apache.flink.streaming.api.connector.sink2.SupportsPreCommitTopology;
import org.apache.flink.streaming.api.datastream.DataStream;

/**
 * Decorates a sink of a bounded job so that accumulators say what it wrote: {@value #WRITTEN}
 * counts the documents changed, {@value #RESTARTS} says how often the job was restarted. Unlike a
 * metric, an accumulator is readable after the job has ended. The count is that of the last
 * attempt; what an earlier attempt has written is not in it.
 *
 * <p>A writer has no access to accumulators. So it hands its count on as if it were to be
 * committed, once its input has ended, and an operator between it and the committer adds it up.
 * Nothing is committed.
 *
 * @param <T> the records
 */
public final class WriteCountSink<T>
    implements WriterSink<T>, SupportsCommitter<Long>, SupportsPreCommitTopology<Long, Long> {
  /** Accumulator: documents that the sink changed in the job's last attempt. */
  public static final String WRITTEN = "written";

  /** Accumulator: attempts of the job before its last one. */
  public static final String RESTARTS = "restarts";

  private final Counted<T> counted;

  /**
   * Creates the decorated sink.
   *
   * @param <T> the records
   */
  @FunctionalInterface
  public interface Counted<T> extends Serializable {
    /**
     * Returns the sink.
     *
     * @param written its writer adds the number of documents changed; any thread may add
     */
    Sink<T> create(LongAdder written);
  }

  /** Decorates a sink that has no state and no commits of its own. */
  public WriteCountSink(Counted<T> counted) {
    this.counted = Objects.requireNonNull(counted, "counted");
  }

  @Override
  public CommittingSinkWriter<T, Long> createWriter(WriterInitContext context) throws IOException {
    LongAdder written = new LongAdder();
    return new Writer<>(counted.create(written).createWriter(context), written);
  }

  @Override
  public DataStream<CommittableMessage<Long>> addPreCommitTopology(
      DataStream<CommittableMessage<Long>> counts) {
    return counts
        .map(new Sum())
        .returns(CommittableMessageTypeInfo.of(Longs::new))
        .uid("count-written")
        .name("count written");
  }

  @Override
  public SimpleVersionedSerializer<Long> getWriteResultSerializer() {
    return new Longs();
  }

  @Override
  public SimpleVersionedSerializer<Long> getCommittableSerializer() {
    return new Longs();
  }

  @Override
  public Committer<Long> createCommitter(CommitterInitContext context) {
    return new NothingToCommit();
  }

  /** Hands the count on. */
  @SuppressWarnings("try") // Flink declares that close may throw InterruptedException, too.
  private record Writer<T>(SinkWriter<T> stored, LongAdder written)
      implements CommittingSinkWriter<T, Long> {
    @Override
    public void write(T record, Context context) throws IOException, InterruptedException {
      stored.write(record, context);
    }

    @Override
    public void flush(boolean isEnd) throws IOException, InterruptedException {
      stored.flush(isEnd);
    }

    @Override
    public void writeWatermark(Watermark watermark) throws IOException, InterruptedException {
      stored.writeWatermark(watermark);
    }

    @Override
    public Collection<Long> prepareCommit() {
      return List.of(written.sumThenReset());
    }

    @Override
    public void close() throws Exception {
      stored.close();
    }
  }

  /** Adds the counts up. */
  private static final class Sum
      extends RichMapFunction<CommittableMessage<Long>, CommittableMessage<Long>> {
    private final LongCounter written = new LongCounter();
    private final IntMaximum restarts = new IntMaximum();

    @Override
    public void open(OpenContext context) {
      getRuntimeContext().addAccumulator(WRITTEN, written);
      getRuntimeContext().addAccumulator(RESTARTS, restarts);
      restarts.add(getRuntimeContext().getTaskInfo().getAttemptNumber());
    }

    @Override
    public CommittableMessage<Long> map(CommittableMessage<Long> message) {
      if (message instanceof CommittableWithLineage<Long> count) {
        written.add(count.getCommittable());
      }
      return message;
    }
  }

  private static final class NothingToCommit implements Committer<Long> {
    @Override
    public void commit(Collection<CommitRequest<Long>> counts) {
      // The documents are in MongoDB already.
    }

    @Override
    public void close() {
      // Has nothing to close.
    }
  }

  private static final class Longs implements SimpleVersionedSerializer<Long> {
    private static final int VERSION = 1;

    @Override
    public int getVersion() {
      return VERSION;
    }

    @Override
    public byte[] serialize(Long count) {
      return ByteBuffer.allocate(Long.BYTES).putLong(count).array();
    }

    @Override
    public Long deserialize(int version, byte[] bytes) {
      return ByteBuffer.wrap(bytes).getLong();
    }
  }
}
