package io.lastfix.jobs.kafka;

import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Partitions that were made a moment ago. The controller answers before the broker that leads a
 * partition knows of it, and whoever writes in that moment can get stuck: of two requests of an
 * idempotent producer the first is refused and the second accepted, after which every retry of the
 * first is out of sequence, until {@code delivery.timeout.ms} gives it up (KAFKA-15591, in brokers
 * up to 3.9 at least).
 */
final class NewPartitions {
  private NewPartitions() {}

  /**
   * Done when the leader of each partition answers for it; until then the client asks again, for
   * its {@code default.api.timeout.ms} at most. Fails with {@code UnknownTopicOrPartitionException}
   * where the broker that is asked does not know of the topic yet.
   *
   * @param partitions how many the topic has
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
