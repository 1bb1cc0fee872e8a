package io.lastfix.jobs.kafka;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.apache.kafka.common.TopicPartition;

/** Looks up where partitions end, without holding up the caller. */
interface EndOffsets extends AutoCloseable {
  /** The offset that each partition's next record gets. */
  CompletionStage<Map<TopicPartition, Long>> of(Set<TopicPartition> partitions);

  @Override
  void close();
}
