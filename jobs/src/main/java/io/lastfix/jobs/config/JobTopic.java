package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A topic of Kafka that jobs read or write, by the key that names it. */
public enum JobTopic {
  /** Messages with location records: a topic for each profile. The key gives the names' prefix. */
  LOCATIONS(KafkaOptions.LOCATION_TOPIC_PREFIX, config -> config.kafka().locationTopicPrefix()),
  /** The catalogue. */
  CELLS(KafkaOptions.CELLS_TOPIC, config -> config.kafka().cellsTopic()),
  /** Messages that cannot be used. */
  REJECTED(KafkaOptions.REJECTED_TOPIC, config -> config.kafka().rejectedTopic()),
  /** Located records; it exists only if its key is set. */
  LOCATED(LocatedKeys.TOPIC, LocationJobConfig::locatedTopic),
  /** The devices' signs of life. */
  HEARTBEATS(DevicesOptions.HEARTBEATS_TOPIC, config -> config.devices().heartbeatsTopic()),
  /** Changes of presence. */
  PRESENCE(DevicesOptions.PRESENCE_TOPIC, config -> config.devices().presenceTopic()),
  /** Groups and devices, and the bytes that devices have used. */
  USAGE(DevicesOptions.USAGE_TOPIC, config -> config.devices().usageTopic()),
  /** Counts of records. */
  COUNTS(AnalyticsOptions.COUNTS_TOPIC, config -> config.analytics().countsTopic()),
  /** Rules and fences. */
  RULES(RulesOptions.TOPIC, config -> config.rules().topic()),
  /** How far the rules job has read them. */
  APPLIED(RulesOptions.APPLIED_TOPIC, config -> config.rules().appliedTopic()),
  /** Alerts. */
  ALERTS(RulesOptions.ALERTS_TOPIC, config -> config.rules().alertsTopic());

  private final String key;

  @SuppressWarnings("ImmutableEnumChecker") // Each is a function without state.
  private final Function<LocationJobConfig, @Nullable String> nameIn;

  JobTopic(Key<String> key, Function<LocationJobConfig, @Nullable String> nameIn) {
    this.key = key.name();
    this.nameIn = nameIn;
  }

  /** Returns the key of the configuration that names the topic. */
  public String key() {
    return key;
  }

  /** Returns the topic's name, or the prefix of several topics' names; null if there is none. */
  public @Nullable String nameIn(LocationJobConfig config) {
    return nameIn.apply(config);
  }

  /** Returns whether the name is a prefix of several topics' names. */
  public boolean isPrefix() {
    return this == LOCATIONS;
  }
}
