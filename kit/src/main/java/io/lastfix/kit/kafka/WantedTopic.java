package io.lastfix.kit.kafka;

import java.util.List;
import java.util.Map;

/**
 * A topic as a program needs it.
 *
 * @param name of the topic
 * @param settings of a new topic; for all others the broker's defaults hold
 * @param rules for an existing topic, whose settings are never changed here
 */
public record WantedTopic(String name, Map<String, String> settings, List<TopicRule> rules) {
  /** A topic with the broker's defaults, and without rules. */
  public static WantedTopic plain(String name) {
    return new WantedTopic(name, Map.of(), List.of());
  }

  /** A topic with the broker's defaults. */
  public static WantedTopic checked(String name, TopicRule... rules) {
    return new WantedTopic(name, Map.of(), List.of(rules));
  }
}
