package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import io.lastfix.kit.config.SettingsReader;
import io.lastfix.rules.judge.JudgeOptions;
import io.lastfix.store.counts.NumberCollections;
import io.lastfix.store.history.HistoryOptions;
import java.io.Serializable;
import java.time.Duration;
import java.util.Set;

/**
 * Where rules and alerts are, and how the rules job judges records: the keys {@code rules.}.
 *
 * @param topic topic of rules and fences
 * @param appliedTopic topic to which the rules job writes how far it has read {@code topic}
 * @param alertsTopic topic of alerts
 * @param alerts the collections of alerts
 * @param judge how records are judged
 */
public record RulesOptions(
    String topic,
    String appliedTopic,
    String alertsTopic,
    NumberCollections alerts,
    JudgeOptions judge)
    implements Serializable {
  static final Key<String> TOPIC =
      Key.text(
          "rules.topic",
          "lastfix.rules",
          "Topic of rules and fences, which 'lastfix rule' and 'lastfix fence' write. It has one"
              + " partition and is compacted.");

  static final Key<String> APPLIED_TOPIC =
      Key.text(
          "rules.applied-topic",
          "lastfix.rules.applied",
          "Topic to which each subtask of the rules job writes how far it has read rules.topic. It"
              + " has one partition and is compacted.");

  static final Key<String> ALERTS_TOPIC =
      Key.text(
          "rules.alerts-topic",
          "lastfix.alerts",
          "Topic to which the rules job writes each alert, at least once, with the user as key.");

  static final Key<Integer> CELL_RADIUS_METERS =
      Key.number(
          "rules.cell-radius-meters",
          1_000,
          0,
          100_000,
          "Radius in metres of the circle around a cell's position in which its devices are taken"
              + " to be. It counts if the catalogue has no range of the cell. A rule's certainty is"
              + " the share of that circle in or outside of a fence.");

  static final Key<Duration> FORGET_AFTER =
      Key.duration(
              "rules.forget-after",
              "30 d",
              "A device without a record for this long is forgotten. Its next record is judged as"
                  + " that of a new device.")
          .where(
              duration ->
                  duration.compareTo(Duration.ofHours(1)) >= 0
                      && duration.compareTo(Duration.ofDays(400)) <= 0,
              "1 h to 400 d");

  /** What a prefix that is not the alerts' accepts. */
  private static final String OTHER_PREFIX =
      "another name than %s, which the rules job uses".formatted(NumberCollections.ALERTS_PREFIX);

  /**
   * Reads the keys.
   *
   * @param taken the topics that other keys name; receives more
   * @param history whose database and period the alerts share
   * @param analytics whose collections are in the same database
   */
  static RulesOptions read(
      SettingsReader reader,
      KafkaOptions kafka,
      Set<String> taken,
      HistoryOptions history,
      AnalyticsOptions analytics) {
    NumberCollections alerts = NumberCollections.ofAlerts(history.period());
    reader.require(
        !history.collectionPrefix().equals(alerts.collectionPrefix()),
        HistoryKeys.COLLECTION_PREFIX,
        OTHER_PREFIX);
    reader.require(
        !analytics.countsPrefix().equals(alerts.collectionPrefix()),
        AnalyticsOptions.COUNTS_COLLECTION_PREFIX,
        OTHER_PREFIX);
    return new RulesOptions(
        topic(reader, TOPIC, kafka, taken),
        topic(reader, APPLIED_TOPIC, kafka, taken),
        topic(reader, ALERTS_TOPIC, kafka, taken),
        alerts,
        new JudgeOptions(reader.get(CELL_RADIUS_METERS), reader.get(FORGET_AFTER)));
  }

  private static String topic(
      SettingsReader reader, Key<String> key, KafkaOptions kafka, Set<String> taken) {
    String topic = reader.get(key);
    reader.require(
        taken.add(topic) && !topic.startsWith(kafka.locationTopicPrefix()),
        key,
        KafkaOptions.NEW_TOPIC);
    return topic;
  }
}
