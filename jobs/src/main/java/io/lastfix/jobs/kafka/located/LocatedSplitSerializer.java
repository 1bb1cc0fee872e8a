package io.lastfix.jobs.kafka.located;

import io.lastfix.analytics.time.PartitionTime;
import java.io.IOException;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Writes the event time with each split, and reads a {@link LocatedSplit}. Layout of version 1000:
 * long epoch milliseconds that are reached, boolean whether the partition is live, int version of
 * the connector's serializer, its bytes. Lower versions are the connector's own; their splits have
 * no event time.
 */
public final class LocatedSplitSerializer
    implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  static final int VERSION = 1_000;

  private final SimpleVersionedSerializer<KafkaPartitionSplit> connectors;

  /**
   * @param connectors the connector's own
   */
  public LocatedSplitSerializer(SimpleVersionedSerializer<KafkaPartitionSplit> connectors) {
    this.connectors = connectors;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(KafkaPartitionSplit split) throws IOException {
    PartitionTime time = LocatedSplit.timeOf(split);
    byte[] bytes = connectors.serialize(split);
    DataOutputSerializer target = new DataOutputSerializer(bytes.length + 13);
    target.writeLong(time.reachedMillis());
    target.writeBoolean(time.isLive());
    target.writeInt(connectors.getVersion());
    target.write(bytes);
    return target.getCopyOfBuffer();
  }

  @Override
  public KafkaPartitionSplit deserialize(int version, byte[] bytes) throws IOException {
    if (version < VERSION) {
      return connectors.deserialize(version, bytes);
    }
    if (version > VERSION) {
      throw new IOException(
          "The position in the topic of located records is in format version %d, this build reads up to %d. Restore the state with the release that wrote it, or a later one."
              .formatted(version, VERSION));
    }
    DataInputDeserializer source = new DataInputDeserializer(bytes);
    PartitionTime time = new PartitionTime(source.readLong(), source.readBoolean());
    int connectorsVersion = source.readInt();
    byte[] split = new byte[source.available()];
    source.readFully(split);
    return new LocatedSplit(connectors.deserialize(connectorsVersion, split), time);
  }
}
