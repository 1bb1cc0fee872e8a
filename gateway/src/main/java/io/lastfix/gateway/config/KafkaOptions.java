package io.lastfix.gateway.config;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Kafka, and what the gateway asks of it.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param topicPrefix precedes a profile's name
 * @param createTopics whether missing topics are created
 * @param partitions of a created topic
 * @param replication of a created topic; -1: the broker's default
 * @param startTimeout the longest wait for Kafka at the start
 * @param deliveryTimeout the longest wait for an acknowledgement
 * @param properties of every client
 */
public record KafkaOptions(
    String bootstrapServers,
    String topicPrefix,
    boolean createTopics,
    int partitions,
    short replication,
    Duration startTimeout,
    Duration deliveryTimeout,
    Map<String, String> properties) {
  /** The topic of a profile. */
  public String topic(String profile) {
    return topicPrefix + profile;
  }

  /** The topics of profiles. */
  public List<String> topics(List<String> profiles) {
    return profiles.stream().map(this::topic).toList();
  }

  /** The properties of every client, without serializers. */
  public Map<String, Object> clientProperties() {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("bootstrap.servers", bootstrapServers);
    return all;
  }
}
