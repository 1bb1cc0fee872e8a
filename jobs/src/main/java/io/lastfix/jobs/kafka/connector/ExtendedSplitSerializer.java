package io.lastfix.jobs.kafka.connector;

import java.io.IOException;
import java.util.function.UnaryOperator;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes values of ours with each split of Flink's Kafka connector. Layout: the values, int version
 * of the connector's serializer, its bytes.
 */
abstract class ExtendedSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  private static final int USUAL_BYTES = 16;

  private final SimpleVersionedSerializer<KafkaPartitionSplit> connectors;
  private final int version;
  private final String what;

  /**
   * @param connectors the connector's own
   * @param version of the values that are written, 1 or later
   * @param what is written, for messages: the beginning of a sentence
   */
  ExtendedSplitSerializer(
      SimpleVersionedSerializer<KafkaPartitionSplit> connectors, int version, String what) {
    this.connectors = connectors;
    this.version = version;
    this.what = what;
  }

  /** Writes the values. */
  abstract void write(KafkaPartitionSplit split, DataOutputView target) throws IOException;

  /**
   * Reads the values, and returns what adds them to the connector's split.
   *
   * @param written version of the values, at most that which this writes
   */
  abstract UnaryOperator<KafkaPartitionSplit> read(int written, DataInputView source)
      throws IOException;

  @Override
  public final int getVersion() {
    return version;
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
  public final KafkaPartitionSplit deserialize(int written, byte[] bytes) throws IOException {
    if (written != version) {
      throw new IOException(
          "%s is in format version %d, this build reads %d. Restore the state with the release that wrote it, or a later one."
              .formatted(what, written, version));
    }
    DataInputDeserializer source = new DataInputDeserializer(bytes);
    UnaryOperator<KafkaPartitionSplit> extend = read(written, source);
    int connectorsVersion = source.readInt();
    byte[] split = new byte[source.available()];
    source.readFully(split);
    return extend.apply(connectors.deserialize(connectorsVersion, split));
  }
}
