package io.lastfix.operate.devices;

import io.lastfix.cluster.StackException;
import io.lastfix.gateway.devices.DevicesSnapshot;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.kafka.topics.KafkaAdmin;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.TopicReader;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartition;

/** Reads {@code lastfix.devices} for a command. */
public final class DevicesTopicReading {
  private DevicesTopicReading() {}

  /**
   * Returns what the topic says now.
   *
   * @throws StackException if there is no such topic
   * @throws IOException if Kafka does not answer
   */
  public static DevicesSnapshot read(KafkaOptions kafka, String topic) throws IOException {
    Map<TopicPartition, Range> ranges;
    try (Admin admin = KafkaAdmin.connect(kafka)) {
      ranges = new ConsumerLag(admin).ranges(List.of(topic));
    }
    if (ranges.isEmpty()) {
      throw new StackException(
          "there is no topic %s, so no device is registered: begin with lastfix group create"
              .formatted(topic));
    }
    DevicesSnapshot snapshot = new DevicesSnapshot();
    new TopicReader(kafka::clientProperties).read(ranges, snapshot::add);
    return snapshot;
  }
}
