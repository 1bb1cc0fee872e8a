package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Queries the end offsets of partitions without blocking the caller. It creates its client at the
 * first query, because most jobs never need one.
 */
class EndOffsets implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final KafkaOptions kafka;
  private @Nullable Admin admin;

  EndOffsets(KafkaOptions kafka) {
    this.kafka = kafka;
  }

  /** The offset of each partition's next record. */
  CompletionStage<Map<TopicPartition, Long>> of(Set<TopicPartition> partitions) {
    if (admin == null) {
      admin = KafkaAdmin.connect(kafka);
    }
    return admin
        .listOffsets(
            partitions.stream().collect(Collectors.toMap(p -> p, p -> OffsetSpec.latest())))
        .all()
        .toCompletionStage()
        .thenApply(
            answered ->
                answered.entrySet().stream()
                    .collect(Collectors.toMap(Map.Entry::getKey, end -> end.getValue().offset())));
  }

  @Override
  public void close() {
    if (admin != null) {
      admin.close(CLOSE_LIMIT);
    }
  }
}
