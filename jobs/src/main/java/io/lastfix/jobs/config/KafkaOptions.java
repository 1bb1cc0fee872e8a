package io.lastfix.jobs.config;

import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/**
 * The brokers, topics and consumer group of a job.
 *
 * @param bootstrapServers host:port, separated by commas
 * @param groupId consumer group of the location records
 * @param locationTopicPrefix prefix of a profile's topic, before the profile's name
 * @param cellsTopic topic of the catalogue
 * @param rejectedTopic topic of rejected messages
 * @param createTopics true: the job creates missing topics at its start
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

  /** Returns the topic of a profile's messages. */
  public String locationTopic(String profile) {
    return locationTopicPrefix + profile;
  }

  /** Returns the topics of these profiles' messages, in the profiles' order. */
  public List<String> locationTopics(List<String> profiles) {
    return profiles.stream().map(this::locationTopic).toList();
  }

  /**
   * Returns the properties of a client: the brokers' addresses, overridden by {@link #properties}.
   */
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
