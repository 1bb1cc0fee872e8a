package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.util.ArrayList;
import java.util.List;

/** The keys {@code kafka.}: brokers, topics and the consumer group. */
final class KafkaKeys {
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

  private KafkaKeys() {}

  /**
   * Reads the keys.
   *
   * @param profiles names of the profiles; each has its topic
   */
  static KafkaOptions read(SettingsReader reader, List<String> profiles) {
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
    List<String> topics = new ArrayList<>(kafka.locationTopics(profiles));
    reader.require(
        !topics.contains(kafka.cellsTopic()),
        CELLS_TOPIC,
        "a topic other than the location topics");
    topics.add(kafka.cellsTopic());
    reader.require(
        !topics.contains(kafka.rejectedTopic()),
        REJECTED_TOPIC,
        "a topic that the job does not read");
    return kafka;
  }
}
