package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys {@code located.}: the topic of located records. */
final class LocatedKeys {
  static final Key<String> TOPIC =
      Key.text(
          "located.topic",
          null,
          "Topic to which the location job writes each record that it stores in History, at least"
              + " once, for other programs: for example lastfix.located. Without it the job writes no"
              + " such topic. 'lastfix forget' does not remove a user's messages from it; they stay"
              + " until the topic's retention ends.");

  private LocatedKeys() {}

  /**
   * Reads the keys.
   *
   * @return the topic; null if located records are not published
   */
  static @Nullable String read(SettingsReader reader, KafkaOptions kafka, DevicesOptions devices) {
    String topic = reader.getIfGiven(TOPIC);
    if (topic == null) {
      return null;
    }
    reader.require(
        !otherTopics(kafka, devices).contains(topic), TOPIC, "a topic that no other key names");
    // The topic of a profile, now or later: the job would read what it writes.
    reader.require(
        !topic.startsWith(kafka.locationTopicPrefix()),
        TOPIC,
        "a name that does not begin with " + KafkaKeys.LOCATION_TOPIC_PREFIX.name());
    return topic;
  }

  /** The topics of the location job and the devices job, without those of profiles. */
  static List<String> otherTopics(KafkaOptions kafka, DevicesOptions devices) {
    return List.of(
        kafka.cellsTopic(),
        kafka.rejectedTopic(),
        devices.heartbeatsTopic(),
        devices.presenceTopic(),
        devices.usageTopic());
  }
}
