package io.lastfix.jobs.config;

import io.lastfix.kit.config.Key;
import org.jspecify.annotations.Nullable;

/** A topic of Kafka that jobs read or write, by the key that names it. */
public enum JobTopic {
  /** Messages with location records: a topic for each profile. The key gives the names' prefix. */
  LOCATIONS(KafkaOptions.LOCATION_TOPIC_PREFIX),
  /** The catalogue. */
  CELLS(KafkaOptions.CELLS_TOPIC),
  /** Messages that cannot be used. */
  REJECTED(KafkaOptions.REJECTED_TOPIC),
  /** Located records; it exists only if its key is set. */
  LOCATED(LocatedKeys.TOPIC),
  /** The devices' signs of life. */
  HEARTBEATS(DevicesOptions.HEARTBEATS_TOPIC),
  /** Changes of presence. */
  PRESENCE(DevicesOptions.PRESENCE_TOPIC),
  /** Groups and devices, and the bytes that devices have used. */
  USAGE(DevicesOptions.USAGE_TOPIC),
  /** Counts of records. */
  COUNTS(AnalyticsOptions.COUNTS_TOPIC);

  private final String key;

  JobTopic(Key<String> key) {
    this.key = key.name();
  }

  /** Returns the key of the configuration that names the topic. */
  public String key() {
    return key;
  }

  /** Returns the topic's name, or the prefix of several topics' names; null if there is none. */
  public @Nullable String nameIn(LocationJobConfig config) {
    return switch (this) {
      case LOCATIONS -> config.kafka().locationTopicPrefix();
      case CELLS -> config.kafka().cellsTopic();
      case REJECTED -> config.kafka().rejectedTopic();
      case LOCATED -> config.locatedTopic();
      case HEARTBEATS -> config.devices().heartbeatsTopic();
      case PRESENCE -> config.devices().presenceTopic();
      case USAGE -> config.devices().usageTopic();
      case COUNTS -> config.analytics().countsTopic();
    };
  }

  /** Returns whether the name is a prefix of several topics' names. */
  public boolean isPrefix() {
    return this == LOCATIONS;
  }
}
