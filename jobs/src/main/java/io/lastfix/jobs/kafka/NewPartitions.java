package io.lastfix.jobs.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Waits for newly created partitions. The controller answers before the partition's leader knows of
 * it, and a producer that writes in between can get stuck. Of two requests of an idempotent
 * producer, the leader refuses the first and accepts the second. Every retry of the first then is
 * out of sequence, until {@code delivery.timeout.ms} ends it (KAFKA-15591, in brokers up to 3.9 at
 * least).
 */
final class NewPartitions {
  private NewPartitions() {}

  /**
   * Completes when the leader of each partition answers for it. Until then the client repeats the
   * request, for its {@code default.api.timeout.ms} at most. Fails with {@code
   * UnknownTopicOrPartitionException} if the queried broker does not know the topic yet.
   *
   * @param partitions the topic's number of partitions
   */
  static KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> lead(
      Admin admin, String topic, int partitions) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    return admin.listOffsets(ends).all();
  }
}
