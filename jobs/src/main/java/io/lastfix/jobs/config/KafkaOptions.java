package io.lastfix.jobs.config;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * Which brokers, topics and group a job uses.
 *
 * @param bootstrapServers host:port, with commas between
 * @param groupId consumer group of the location records
 * @param locationTopicPrefix before a profile's name: its topic
 * @param cellsTopic the catalogue
 * @param rejectedTopic where rejected messages go
 * @param createTopics whether missing topics are created at the start
 * @param newTopicPartitions partitions of a created topic, 1 or more
 * @param newTopicReplication replicas of a created topic, 1 or more, or -1 for the broker's default
 * @param properties further properties of every Kafka client; may hold secrets, so {@link
 *     #toString()} names their keys only
 */
public record KafkaOptions(
    String bootstrapServers,
    String groupId,
    String locationTopicPrefix,
    String cellsTopic,
    String rejectedTopic,
    boolean createTopics,
    int newTopicPartitions,
    short newTopicReplication,
    Map<String, String> properties)
    implements Serializable {
  public KafkaOptions {
    properties = Map.copyOf(properties);
  }

  /** The topic of a profile's messages. */
  public String locationTopic(String profile) {
    return locationTopicPrefix + profile;
  }

  /** The topics of these profiles' messages, in their order. */
  public List<String> locationTopics(List<String> profiles) {
    return profiles.stream().map(this::locationTopic).toList();
  }

  /** Properties for a client: the user's own over the brokers' addresses. */
  public Properties clientProperties() {
    Properties all = new Properties();
    all.setProperty("bootstrap.servers", bootstrapServers);
    properties.forEach(all::setProperty);
    return all;
  }

  @Override
  public String toString() {
    return "KafkaOptions[%s, group %s, properties %s]"
        .formatted(bootstrapServers, groupId, properties.keySet());
  }
}
