package io.lastfix.jobs.kafka.splits;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes values of ours with each split of Flink's Kafka connector. Layout of version 1000: the
 * values, int version of the connector's serializer, its bytes. Lower versions are the connector's
 * own, which earlier releases wrote; their splits have no values.
 */
public abstract class ExtendedSplitSerializer
    implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  /** Far above those of the connector. */
  public static final int VERSION = 1_000;

  private static final int USUAL_BYTES = 16;

  private final SimpleVersionedSerializer<KafkaPartitionSplit> connectors;
  private final String what;

  /**
   * @param connectors the connector's own
   * @param what is written, for messages: the beginning of a sentence
   */
  protected ExtendedSplitSerializer(
      SimpleVersionedSerializer<KafkaPartitionSplit> connectors, String what) {
    this.connectors = connectors;
    this.what = what;
  }

  /** Writes the values. */
  protected abstract void write(KafkaPartitionSplit split, DataOutputView target)
      throws IOException;

  /** Reads the values, and returns what adds them to the connector's split. */
  protected abstract UnaryOperator<KafkaPartitionSplit> read(DataInputView source)
      throws IOException;

  @Override
  public final int getVersion() {
    return VERSION;
  }

  @Override
  public final byte[] serialize(KafkaPartitionSplit split) throws IOException {
    byte[] bytes = connectors.serialize(split);
    DataOutputSerializer target = new DataOutputSerializer(bytes.length + USUAL_BYTES);
    write(split, target);
    target.writeInt(connectors.getVersion());
    target.write(bytes);
    return target.getCopyOfBuffer();
  }

  @Override
  public final KafkaPartitionSplit deserialize(int version, byte[] bytes) throws IOException {
    if (version < VERSION) {
      return connectors.deserialize(version, bytes);
    }
    if (version > VERSION) {
      throw new IOException(
          "%s is in format version %d, this build reads up to %d. Restore the state with the release that wrote it, or a later one."
              .formatted(what, version, VERSION));
    }
    DataInputDeserializer source = new DataInputDeserializer(bytes);
    UnaryOperator<KafkaPartitionSplit> extend = read(source);
    int connectorsVersion = source.readInt();
    byte[] split = new byte[source.available()];
    source.readFully(split);
    return extend.apply(connectors.deserialize(connectorsVersion, split));
  }
}
