package io.lastfix.notify.delivery;

import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where a receiver's group begins: at the end of the topic as it is at the first start, since older
 * alerts would page people for what is over. The end is committed before the first consumer joins,
 * so an alert that comes in between is delivered. Partitions that are added later are read from
 * their beginning.
 *
 * <p>Kafka deletes a group's offsets with the topic. If that is created again, the group cannot be
 * distinguished from a new one.
 *
 * @param admin a client that the caller closes
 * @param bootstrapServers the client's, for messages
 */
public record StartOffsets(Admin admin, String bootstrapServers) {
  private static final Logger LOG = LoggerFactory.getLogger(StartOffsets.class);

  /**
   * Commits the end of each partition, if the group has committed nothing.
   *
   * @throws IllegalStateException for the user: Kafka does not answer or refuses
   */
  public void ensure(String group, String topic) {
    try {
      if (hasCommitted(group, topic)) {
        return;
      }
      Map<TopicPartition, OffsetAndMetadata> ends = new HashMap<>();
      new ConsumerLag(admin)
          .ranges(List.of(topic))
          .forEach((partition, range) -> ends.put(partition, new OffsetAndMetadata(range.end())));
      try {
        KafkaAnswer.await(admin.alterConsumerGroupOffsets(group, ends).all());
        LOG.info("{} has no committed offsets: it begins at the end of {}", group, topic);
      } catch (IOException e) {
        // Kafka refuses if another server has joined the group meanwhile, which committed before.
        if (!hasCommitted(group, topic)) {
          throw e;
        }
      }
    } catch (IOException e) {
      throw KafkaFailure.ofCommit(group, bootstrapServers, e);
    }
  }

  private boolean hasCommitted(String group, String topic) throws IOException {
    return new ConsumerLag(admin)
        .committed(group).keySet().stream().anyMatch(partition -> partition.topic().equals(topic));
  }
}
