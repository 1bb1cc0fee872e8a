package io.lastfix.jobs.kafka.connector;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;

/** Reads the end offsets of partitions without blocking the caller. */
interface EndOffsets extends AutoCloseable {
  /** The offset of each partition's next record. */
  CompletionStage<Map<TopicPartition, Long>> of(Set<TopicPartition> partitions);

  @Override
  void close();
}
