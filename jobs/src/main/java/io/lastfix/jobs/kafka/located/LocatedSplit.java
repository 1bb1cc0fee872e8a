package io.lastfix.jobs.kafka.located;

import io.lastfix.analytics.time.PartitionTime;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/** A split of a checkpoint, with the event time that its partition had reached. */
public final class LocatedSplit extends KafkaPartitionSplit {
  private final PartitionTime time;

  LocatedSplit(KafkaPartitionSplit split, PartitionTime time) {
    super(
        split.getTopicPartition(),
        split.getStartingOffset(),
        split.getStoppingOffset().orElse(NO_STOPPING_OFFSET));
    this.time = time;
  }

  PartitionTime time() {
    return time;
  }

  /** The time of any split; one that the enumerator has found has none yet. */
  public static PartitionTime timeOf(KafkaPartitionSplit split) {
    return split instanceof LocatedSplit located ? located.time() : PartitionTime.NONE;
  }
}
