package io.lastfix.gateway.devices;

import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.TopicRule;
import io.lastfix.kit.kafka.Topics;
import io.lastfix.kit.kafka.WantedTopic;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.TopicConfig;

/**
 * The topic of groups, devices, decisions and manifests. It is compacted, so it keeps the newest
 * message of each key.
 *
 * @param bootstrapServers of Kafka, for the command that changes the topic
 * @param name of the topic
 * @param partitions of a new topic, 1 or more
 * @param replication of a new topic, or -1 for the broker's default
 */
public record DevicesTopic(
    String bootstrapServers, String name, int partitions, short replication) {
  /** The usual name. */
  public static final String DEFAULT_NAME = "lastfix.devices";

  /**
   * A gateway that was stopped that long has to read the topic from the beginning: it always does.
   */
  private static final Duration DELETE_RETENTION = Duration.ofDays(1);

  private static final TopicRule COMPACTED =
      TopicRule.exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "The topic %1$s has %2$s=%3$s, so Kafka would delete registrations: run %4$s");

  /** Room for a manifest and its frame. */
  private static final TopicRule LARGE_ENOUGH =
      TopicRule.atLeast(
          TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
          1_048_588,
          "The topic %1$s has %2$s=%3$s, so it refuses large manifests: run %4$s");

  /** Checks the numbers. */
  public DevicesTopic {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: expected 1 or more, found " + partitions);
    }
  }

  /**
   * Checks an existing topic.
   *
   * @param isCreated whether a missing one is created
   * @throws IllegalStateException if there is no topic, Kafka refuses, or the topic would lose or
   *     refuse messages; says what to do
   */
  public void ensure(Admin admin, boolean isCreated) {
    WantedTopic wanted =
        new WantedTopic(
            name,
            Map.of(
                COMPACTED.key(),
                COMPACTED.wanted(),
                TopicConfig.DELETE_RETENTION_MS_CONFIG,
                Long.toString(DELETE_RETENTION.toMillis()),
                LARGE_ENOUGH.key(),
                LARGE_ENOUGH.wanted()),
            List.of(COMPACTED, LARGE_ENOUGH));
    var unused =
        new Topics(admin, bootstrapServers, KafkaAnswer.LIMIT)
            .ensure(
                List.of(wanted),
                new Topics.Creation(isCreated, partitions, replication),
                ". Create it with lastfix group create");
  }
}
