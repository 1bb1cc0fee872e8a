package io.lastfix.jobs.kafka.connector;

import io.lastfix.analytics.time.PartitionTime;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * A split of a checkpoint, with the event time that its partition had reached, and the number of
 * its records that Kafka had deleted before they were read.
 */
final class LocatedSplit extends KafkaPartitionSplit {
  private final PartitionTime time;
  private final long recordsLost;

  LocatedSplit(KafkaPartitionSplit split, PartitionTime time, long recordsLost) {
    super(
        split.getTopicPartition(),
        split.getStartingOffset(),
        split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
    this.time = time;
    this.recordsLost = recordsLost;
  }

  /** The time of any split; one that the enumerator has found has none yet. */
  static PartitionTime timeOf(KafkaPartitionSplit split) {
    return split instanceof LocatedSplit located ? located.time : PartitionTime.NONE;
  }

  /** The lost records of any split; one that the enumerator has found has none yet. */
  static long recordsLostOf(KafkaPartitionSplit split) {
    return split instanceof LocatedSplit located ? located.recordsLost : 0;
  }
}
