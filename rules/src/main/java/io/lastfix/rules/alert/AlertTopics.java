package io.lastfix.rules.alert;

import io.lastfix.kit.kafka.TopicRule;
import io.lastfix.kit.kafka.WantedTopic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.TopicConfig;

/** The topics of alerts and of those that no receiver got, as the programs create them. */
public final class AlertTopics {
  /** The usual name of the latter. */
  public static final String UNDELIVERED = "lastfix.alerts.undelivered";

  /** The largest message of the latter: the largest alert, and why it is there. */
  public static final int UNDELIVERED_BYTES = 2 << 20;

  /** The broker's default, which may have been changed. */
  private static final Duration ALERTS_KEPT = Duration.ofDays(7);

  private static final Duration UNDELIVERED_KEPT = Duration.ofDays(30);

  private static final TopicRule NOT_COMPACTED =
      TopicRule.exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          "Topic %1$s has %2$s=%3$s, but every alert has to stay until the topic's retention ends"
              + ". Lastfix does not change an existing topic: %4$s");

  private AlertTopics() {}

  /** The topic of alerts. */
  public static WantedTopic alerts(String name) {
    return new WantedTopic(
        name,
        Map.of(TopicConfig.RETENTION_MS_CONFIG, Long.toString(ALERTS_KEPT.toMillis())),
        List.of(NOT_COMPACTED));
  }

  /** The topic of alerts that no receiver got. */
  public static WantedTopic undelivered(String name) {
    return new WantedTopic(
        name,
        Map.of(
            TopicConfig.RETENTION_MS_CONFIG,
            Long.toString(UNDELIVERED_KEPT.toMillis()),
            TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
            Integer.toString(UNDELIVERED_BYTES)),
        List.of(NOT_COMPACTED));
  }
}
