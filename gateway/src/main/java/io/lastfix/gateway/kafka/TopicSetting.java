package io.lastfix.gateway.kafka;

import java.util.List;
import java.util.stream.Collectors;

/** The command with which an operator changes a setting of existing topics. */
public final class TopicSetting {
  private TopicSetting() {}

  /** Returns a line for a shell, which changes the topics one after the other. */
  public static String change(
      String bootstrapServers, List<String> topics, String key, String value) {
    return topics.stream()
        .map(
            topic ->
                "kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name %s --add-config %s=%s"
                    .formatted(bootstrapServers, topic, key, value))
        .collect(Collectors.joining(" && "));
  }
}
