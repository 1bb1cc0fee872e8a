package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/**
 * The brokers, topics and consumer group of a job: the keys {@code kafka.}.
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
  static final Key<String> BOOTSTRAP_SERVERS =
      Key.text(
          "kafka.bootstrap-servers",
          "127.0.0.1:9092",
          "Brokers that clients contact first: host:port, separated by commas.");

  static final Key<String> GROUP_ID =
      Key.text(
          "kafka.group-id",
          "lastfix-location",
          "Consumer group in which the job commits its offsets at each checkpoint. For the catalogue"
              + " each submission has its own group, with this name, '-cells-' and eight hexadecimal"
              + " digits.");

  static final Key<String> LOCATION_TOPIC_PREFIX =
      Key.text(
          "kafka.location-topic-prefix",
          "lastfix.location.",
          "A profile's topic is this prefix followed by the profile's name.");

  static final Key<String> CELLS_TOPIC =
      Key.text(
          "kafka.cells-topic",
          "lastfix.cells",
          "Topic of the catalogue, compacted, with one message per cell.");

  static final Key<String> REJECTED_TOPIC =
      Key.text(
          "kafka.rejected-topic",
          "lastfix.rejected",
          "Topic to which the job writes rejected messages.");

  static final Key<Boolean> CREATE_TOPICS =
      Key.flag(
          "kafka.create-topics",
          true,
          "If true, the job creates missing topics at its start. If false, it stops and names them.");

  static final Key<Integer> NEW_TOPIC_PARTITIONS =
      Key.atLeastOne(
          "kafka.new-topic.partitions", 4, "Partitions of a topic that the job creates.");

  static final Key<Short> NEW_TOPIC_REPLICATION =
      Key.number(
              "kafka.new-topic.replication",
              -1,
              "Replicas of a topic that the job creates; -1 is the broker's default.")
          .where(n -> n == -1 || (n >= 1 && n <= Short.MAX_VALUE), "1 or more, or -1")
          .as(Integer::shortValue);

  /** Prefix of keys that the job passes to every Kafka client: security, fetch sizes. */
  static final String PROPERTIES_PREFIX = "kafka.properties.";

  /** What a key that names a topic of its own accepts. */
  static final String NEW_TOPIC = "a topic that no other key names";

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

  /**
   * Reads the keys.
   *
   * @param profiles names of the profiles; each has its topic
   * @param taken receives the topics
   */
  static KafkaOptions read(SettingsReader reader, List<String> profiles, Set<String> taken) {
    KafkaOptions kafka =
        new KafkaOptions(
            reader.get(BOOTSTRAP_SERVERS),
            reader.get(GROUP_ID),
            reader.get(LOCATION_TOPIC_PREFIX),
            reader.get(CELLS_TOPIC),
            reader.get(REJECTED_TOPIC),
            reader.get(CREATE_TOPICS),
            reader.get(NEW_TOPIC_PARTITIONS),
            reader.get(NEW_TOPIC_REPLICATION),
            reader.withPrefix(PROPERTIES_PREFIX, text -> text));
    taken.addAll(kafka.locationTopics(profiles));
    reader.require(
        taken.add(kafka.cellsTopic()), CELLS_TOPIC, "a topic other than the location topics");
    reader.require(
        taken.add(kafka.rejectedTopic()), REJECTED_TOPIC, "a topic that the job does not read");
    return kafka;
  }
}
