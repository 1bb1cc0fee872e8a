package io.lastfix.jobs.kafka;

import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;

/**
 * Writes with each split the instant of writing, and reads a {@link DatedSplit}. Layout of version
 * 1000: the bytes of the connector's serializer, int its version, long milliseconds since 1970. The
 * connector's bytes come first, since its serializer looks at no version and at nothing behind
 * them: so an earlier release of this job restores the state, too. Lower versions are the
 * connector's own, which such a release writes: their splits come without a date.
 */
final class DatedSplitSerializer implements SimpleVersionedSerializer<KafkaPartitionSplit> {
  static final int VERSION = 1_000;

  private static final int TRAILER_BYTES = Integer.BYTES + Long.BYTES;

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
    DataOutputSerializer target = new DataOutputSerializer(bytes.length + TRAILER_BYTES);
    target.write(bytes);
    target.writeInt(connectors.getVersion());
    target.writeLong(clock.millis());
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
    int length = bytes.length - TRAILER_BYTES;
    if (length < 0) {
      throw new IOException(
          "The catalogue's position has %d bytes, expected %d or more: the state is damaged. Restore another checkpoint."
              .formatted(bytes.length, TRAILER_BYTES));
    }
    DataInputDeserializer trailer = new DataInputDeserializer(bytes, length, TRAILER_BYTES);
    int connectorsVersion = trailer.readInt();
    Instant writtenAt = Instant.ofEpochMilli(trailer.readLong());
    return new DatedSplit(
        connectors.deserialize(connectorsVersion, Arrays.copyOf(bytes, length)), writtenAt);
  }
}
