package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import java.io.Serializable;
import java.util.Set;

/**
 * Where rules are: the keys {@code rules.}.
 *
 * @param topic topic of rules and fences
 */
public record RulesOptions(String topic) implements Serializable {
  static final Key<String> TOPIC =
      Key.text(
          "rules.topic",
          "lastfix.rules",
          "Topic of rules and fences, which 'lastfix rule' and 'lastfix fence' write. It has one"
              + " partition and is compacted.");

  /**
   * Reads the keys.
   *
   * @param taken the topics that other keys name; receives one more
   */
  static RulesOptions read(SettingsReader reader, KafkaOptions kafka, Set<String> taken) {
    String topic = reader.get(TOPIC);
    reader.require(
        taken.add(topic) && !topic.startsWith(kafka.locationTopicPrefix()),
        TOPIC,
        KafkaOptions.NEW_TOPIC);
    return new RulesOptions(topic);
  }
}
