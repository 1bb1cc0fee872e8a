package io.lastfix.jobs.kafka.connector;

import org.apache.kafka.common.TopicPartition;

/**
 * An offset at which the reader should continue, but that the partition does not have.
 *
 * @param partition the partition
 * @param expected the offset at which the reader should continue
 * @param begin the first offset that the partition has
 * @param end the offset of its next record
 * @param resumeAt the offset at which the reader continues
 */
record OffsetGap(TopicPartition partition, long expected, long begin, long end, long resumeAt) {
  /** Offsets that Kafka had deleted before they were read; 0 if the log was truncated instead. */
  long recordsLost() {
    return Math.max(0, begin - expected);
  }

  /** The gap and the offset at which the reader continues, as text. */
  String describe() {
    String where = "%s, partition %d: ".formatted(partition.topic(), partition.partition());
    if (recordsLost() > 0) {
      return where
          + "%d records were lost, offsets %d to %d: Kafka had deleted them (retention, or a deletion by hand) before the job read them. The next offset is %d"
              .formatted(recordsLost(), expected, begin - 1, resumeAt);
    }
    if (expected > end) {
      return where
          + "ends at offset %d, but the job has read up to %d: the topic was deleted and created again, or the broker lost records. The next offset is %d"
              .formatted(end, expected, resumeAt);
    }
    return where
        + "the broker has replaced records before offset %d with others (an unclean election). The next offset is %d"
            .formatted(expected, resumeAt);
  }
}
