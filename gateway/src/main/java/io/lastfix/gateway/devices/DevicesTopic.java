package io.lastfix.gateway.devices;

import io.lastfix.gateway.kafka.TopicSetting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

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

  private static final long TIMEOUT_SECONDS = 30;

  /** Room for a manifest and its frame. */
  private static final int MAX_MESSAGE_BYTES = 1_048_588;

  /**
   * A gateway that was stopped that long has to read the topic from the beginning: it always does.
   */
  private static final long DELETE_RETENTION_MILLIS = TimeUnit.DAYS.toMillis(1);

  /** Checks the numbers. */
  public DevicesTopic {
    if (partitions < 1) {
      throw new IllegalArgumentException("partitions: expected 1 or more, found " + partitions);
    }
  }

  /** The settings of a new topic. */
  public Map<String, String> settings() {
    return Map.of(
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_COMPACT,
        TopicConfig.DELETE_RETENTION_MS_CONFIG,
        String.valueOf(DELETE_RETENTION_MILLIS),
        TopicConfig.MAX_MESSAGE_BYTES_CONFIG,
        String.valueOf(MAX_MESSAGE_BYTES));
  }

  /**
   * Creates the topic unless it exists, and checks an existing one.
   *
   * @throws DevicesTopicException if Kafka refuses, or the topic would lose or refuse messages;
   *     says what to do
   */
  public void ensure(Admin admin) throws DevicesTopicException {
    // First, so that a user who may not create topics can use an existing one.
    try {
      await(admin.describeTopics(List.of(name)).allTopicNames());
      check(admin);
      return;
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
        throw failed("be described", e.getCause());
      }
    }
    NewTopic wanted =
        new NewTopic(name, Optional.of(partitions), Optional.of(replication)).configs(settings());
    try {
      await(admin.createTopics(Set.of(wanted)).all());
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw failed("be created", e.getCause());
      }
      check(admin);
    }
  }

  /**
   * Checks an existing topic.
   *
   * @throws DevicesTopicException as {@link #ensure}
   */
  public void check(Admin admin) throws DevicesTopicException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, name);
    Config config;
    try {
      config = await(admin.describeConfigs(List.of(resource)).all()).get(resource);
    } catch (ExecutionException e) {
      throw failed("be checked", e.getCause());
    }
    String policy = value(config, TopicConfig.CLEANUP_POLICY_CONFIG);
    if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      throw new DevicesTopicException(
          "The topic %s has cleanup.policy=%s, so Kafka would delete registrations: run %s"
              .formatted(
                  name,
                  policy,
                  change(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT)));
    }
    String most = value(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG);
    if (Integer.parseInt(most) < MAX_MESSAGE_BYTES) {
      throw new DevicesTopicException(
          "The topic %s has max.message.bytes=%s, so it refuses large manifests: run %s"
              .formatted(
                  name,
                  most,
                  change(
                      TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(MAX_MESSAGE_BYTES))));
    }
  }

  private String change(String key, String value) {
    return TopicSetting.change(bootstrapServers, List.of(name), key, value);
  }

  private static String value(Config config, String key) {
    ConfigEntry entry = config.get(key);
    return entry == null || entry.value() == null ? "" : entry.value();
  }

  private DevicesTopicException failed(String what, Throwable cause) {
    return new DevicesTopicException(
        "The topic %s cannot %s: %s".formatted(name, what, cause.getMessage()), cause);
  }

  private <T> T await(KafkaFuture<T> answer) throws DevicesTopicException, ExecutionException {
    try {
      return answer.get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new DevicesTopicException("Interrupted while querying Kafka about " + name, e);
    } catch (TimeoutException e) {
      throw new DevicesTopicException(
          "Kafka did not answer about the topic %s within %d s: check that the brokers run"
              .formatted(name, TIMEOUT_SECONDS),
          e);
    }
  }
}
