package io.lastfix.notify.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * Kafka and the topics of alerts.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param alertsTopic that the rules job writes
 * @param undeliveredTopic of alerts that were given up
 * @param group begins the name of each receiver's consumer group
 * @param createTopics whether missing topics are created
 * @param partitions of a created topic
 * @param replication of a created topic; -1: the broker's default
 * @param startTimeout the longest wait for Kafka at the start
 * @param properties of every client
 */
public record KafkaOptions(
    String bootstrapServers,
    String alertsTopic,
    String undeliveredTopic,
    String group,
    boolean createTopics,
    int partitions,
    short replication,
    Duration startTimeout,
    Map<String, String> properties) {
  /** The properties of every client, without serializers. */
  public Map<String, Object> clientProperties() {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }

  /** The properties may have passwords. */
  @Override
  public String toString() {
    return bootstrapServers;
  }

  /** Returns the consumer group of a receiver. */
  public String group(String receiver) {
    return group + "-" + receiver;
  }
}
