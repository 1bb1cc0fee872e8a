package io.lastfix.kit.kafka;

import java.util.SortedMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What a setting of an existing topic has to be.
 *
 * @param key of the setting
 * @param wanted the value that the remedy sets
 * @param accepts whether a value is right; "" stands for a setting that the broker does not know
 * @param problem the message for topics that break the rule, with these arguments: their names, the
 *     key, the value that the first of them has, the command that changes all of them, and their
 *     names with their values
 */
public record TopicRule(String key, String wanted, Predicate<String> accepts, String problem) {
  /** The setting has to have that value. */
  public static TopicRule exactly(String key, String wanted, String problem) {
    return new TopicRule(key, wanted, wanted::equals, problem);
  }

  /** The setting has to be that number or a greater one. */
  public static TopicRule atLeast(String key, int wanted, String problem) {
    return new TopicRule(
        key, Integer.toString(wanted), found -> Long.parseLong(found) >= wanted, problem);
  }

  /**
   * Describes what breaks the rule.
   *
   * @param found the values by topic, one or more
   */
  String problem(String bootstrapServers, SortedMap<String, String> found) {
    return problem.formatted(
        String.join(", ", found.keySet()),
        key,
        found.get(found.firstKey()),
        found.keySet().stream()
            .map(topic -> change(bootstrapServers, topic))
            .collect(Collectors.joining(" && ")),
        found.entrySet().stream()
            .map(topic -> "%s (%s)".formatted(topic.getKey(), topic.getValue()))
            .collect(Collectors.joining(", ")));
  }

  /** A line for a shell, which an operator can paste. */
  private String change(String bootstrapServers, String topic) {
    return "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s=%s"
        .formatted(bootstrapServers, topic, key, wanted);
  }
}
