package io.lastfix.jobs.kafka;

import java.time.Instant;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A split of a checkpoint, with the time at which it was written. */
final class DatedSplit extends KafkaPartitionSplit {
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
