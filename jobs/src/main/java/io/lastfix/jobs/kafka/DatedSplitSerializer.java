package io.lastfix.jobs.kafka;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Writes the time with each split, and reads a {@link DatedSplit}. Layout of version 1000: long
 * epoch milliseconds, int version of the connector's serializer, its bytes. Lower versions are the
 * connector's own, which earlier releases wrote; their splits have no date.
 */
final class DatedSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  static final int VERSION = 1_000;

  private final SimpleVersionedSerializer<KafkaPartitionSplit> connectors;
  private final InstantSource clock;

  DatedSplitSerializer(
      SimpleVersionedSerializer<KafkaPartitionSplit> connectors, InstantSource clock) {
    this.connectors = connectors;
    this.clock = clock;
  }

  @Override
  public int getVersion() {
    return VERSION;
  }

  @Override
  public byte[] serialize(KafkaPartitionSplit split) throws IOException {
    byte[] bytes = connectors.serialize(split);
    DataOutputSerializer target = new DataOutputSerializer(bytes.length + 12);
    target.writeLong(clock.millis());
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
          "The catalogue's position is in format version %d, this build reads up to %d. Restore the state with the release that wrote it, or a later one."
              .formatted(version, VERSION));
    }
    DataInputDeserializer source = new DataInputDeserializer(bytes);
    Instant writtenAt = Instant.ofEpochMilli(source.readLong());
    int connectorsVersion = source.readInt();
    byte[] split = new byte[source.available()];
    source.readFully(split);
    return new DatedSplit(connectors.deserialize(connectorsVersion, split), writtenAt);
  }
}
