package io.lastfix.console.config;

import java.util.Map;
import java.util.Objects;

/**
 * Where located records come from.
 *
 * @param topic that the job writes
 * @param kafka the properties of every Kafka client; they may hold a password
 */
public record LiveOptions(String topic, Map<String, String> kafka) {
  public LiveOptions {
    Objects.requireNonNull(topic, "topic");
    kafka = Map.copyOf(kafka);
  }

  /** Leaves out the properties. */
  @Override
  public String toString() {
    return "LiveOptions[topic=%s]".formatted(topic);
  }
}
