package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.util.Set;
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
   * @param taken the topics that other keys name; receives one more
   * @return the topic; null if located records are not published
   */
  static @Nullable String read(SettingsReader reader, KafkaOptions kafka, Set<String> taken) {
    String topic = reader.getIfGiven(TOPIC);
    if (topic == null) {
      return null;
    }
    // The topic of a profile, now or later: the job would read what it writes.
    boolean isOfProfile = topic.startsWith(kafka.locationTopicPrefix());
    reader.require(
        !isOfProfile,
        TOPIC,
        "a name that does not begin with " + KafkaOptions.LOCATION_TOPIC_PREFIX.name());
    reader.require(isOfProfile || taken.add(topic), TOPIC, KafkaOptions.NEW_TOPIC);
    return topic;
  }
}
