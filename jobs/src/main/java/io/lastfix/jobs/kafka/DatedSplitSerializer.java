package io.lastfix.jobs.kafka;

import io.lastfix.jobs.kafka.splits.ExtendedSplitSerializer;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.UnaryOperator;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputView;
import org.apache.flink.core.memory.DataOutputView;

/**
 * Writes the present with each split, and reads a {@link DatedSplit}. The value: long epoch
 * milliseconds.
 */
final class DatedSplitSerializer extends ExtendedSplitSerializer {
  private static final int VERSION = 1;

  private final InstantSource clock;

  DatedSplitSerializer(
      SimpleVersionedSerializer<KafkaPartitionSplit> connectors, InstantSource clock) {
    super(connectors, VERSION, "The catalogue's position");
    this.clock = clock;
  }

  @Override
  protected void write(KafkaPartitionSplit split, DataOutputView target) throws IOException {
    target.writeLong(clock.millis());
  }

  @Override
  protected UnaryOperator<KafkaPartitionSplit> read(int written, DataInputView source)
      throws IOException {
    Instant writtenAt = Instant.ofEpochMilli(source.readLong());
    return split -> new DatedSplit(split, writtenAt);
  }

  /** A split of a checkpoint, with the time at which it was written. */
  static final class DatedSplit extends KafkaPartitionSplit {
    private final Instant writtenAt;

    DatedSplit(KafkaPartitionSplit split, Instant writtenAt) {
      super(
          split.getTopicPartition(),
          split.getStartingOffset(),
          split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
      this.writtenAt = writtenAt;
    }

    Instant writtenAt() {
      return writtenAt;
    }
  }
}
