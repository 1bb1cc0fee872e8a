package io.lastfix.gateway.kafka;

import io.lastfix.gateway.config.KafkaOptions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at the topics before the gateway opens: each has to exist, to take the largest record that
 * the gateway accepts (otherwise a device would send the same body again and again), and to keep
 * every record of a device (a compacted topic keeps the last one).
 */
public final class TopicCheck {
  /** Room in a record for what is not the body: key, headers, signature, the batch's head. */
  public static final int RECORD_OVERHEAD_BYTES = 20 * 1024;

  private static final Logger LOG = LoggerFactory.getLogger(TopicCheck.class);
  private static final String MAX_BYTES = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;

  private static final String TIMESTAMP_TYPE = TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG;
  private static final String APPEND_TIME = TimestampType.LOG_APPEND_TIME.name;

  private final Admin admin;
  private final KafkaOptions kafka;
  private final int needed;

  /**
   * A check.
   *
   * @param admin closed by the caller
   * @param maxBytes of a body
   */
  public TopicCheck(Admin admin, KafkaOptions kafka, int maxBytes) {
    this.admin = admin;
    this.kafka = kafka;
    needed = maxBytes + RECORD_OVERHEAD_BYTES;
  }

  /**
   * Creates missing topics, if that is allowed, and checks all.
   *
   * @throws IllegalStateException naming every topic that is missing, compacted or too small, and
   *     the remedy
   */
  public void ensure(List<String> topics) {
    Set<String> existing = await("list its topics", admin.listTopics().names());
    List<String> missing = new ArrayList<>(topics);
    missing.removeAll(existing);
    if (!missing.isEmpty() && !kafka.createTopics()) {
      throw new IllegalStateException(
          "Kafka has no topic %s. Create them, or set kafka.create-topics: true"
              .formatted(String.join(", ", missing)));
    }
    createAccepting(missing);
    Map<String, Config> configs = configs(topics);
    requireNotCompacted(configs);
    warnOfFewReplicas(configs);
    List<String> tooSmall = topicsWhere(configs, config -> number(config, MAX_BYTES) < needed);
    if (!tooSmall.isEmpty()) {
      throw new IllegalStateException(
          "limits.max-bytes needs topics with %s of %d or more; too small: %s. Lower limits.max-bytes, or raise it: %s"
              .formatted(
                  MAX_BYTES,
                  needed,
                  tooSmall.stream()
                      .map(
                          topic -> "%s (%s)".formatted(topic, value(configs.get(topic), MAX_BYTES)))
                      .collect(Collectors.joining(", ")),
                  change(tooSmall, MAX_BYTES, Integer.toString(needed))));
    }
  }

  /**
   * Creates the topic of signs of life, if it is missing and that is allowed, and checks it.
   *
   * @throws IllegalStateException if it is missing or compacted, or stores the producers' times;
   *     says what to do
   */
  public void ensureAppendTimes(String topic) {
    boolean isMissing = !await("list its topics", admin.listTopics().names()).contains(topic);
    if (isMissing && !kafka.createTopics()) {
      throw new IllegalStateException(
          "Kafka has no topic %s. Create it with %s=%s, or set kafka.create-topics: true"
              .formatted(topic, TIMESTAMP_TYPE, APPEND_TIME));
    }
    if (isMissing) {
      create(
          List.of(
              new NewTopic(topic, kafka.partitions(), kafka.replication())
                  .configs(Map.of(TIMESTAMP_TYPE, APPEND_TIME))));
    }
    Map<String, Config> configs = configs(List.of(topic));
    requireNotCompacted(configs);
    configs.forEach(this::requireAppendTimes);
  }

  void requireAppendTimes(String topic, Config config) {
    String found = value(config, TIMESTAMP_TYPE);
    if (!APPEND_TIME.equals(found)) {
      throw new IllegalStateException(
          "Topic %s has %s=%s, but presence follows the broker's time: %s"
              .formatted(
                  topic,
                  TIMESTAMP_TYPE,
                  found,
                  change(List.of(topic), TIMESTAMP_TYPE, APPEND_TIME)));
    }
  }

  void requireNotCompacted(Map<String, Config> configs) {
    List<String> compacted =
        topicsWhere(
            configs,
            config ->
                value(config, TopicConfig.CLEANUP_POLICY_CONFIG)
                    .contains(TopicConfig.CLEANUP_POLICY_COMPACT));
    if (!compacted.isEmpty()) {
      throw new IllegalStateException(
          "compacted, so Kafka would delete all records of a device but the last: %s. Change this: %s"
              .formatted(
                  String.join(", ", compacted),
                  change(
                      compacted,
                      TopicConfig.CLEANUP_POLICY_CONFIG,
                      TopicConfig.CLEANUP_POLICY_DELETE)));
    }
  }

  private String change(List<String> topics, String key, String value) {
    return TopicSetting.change(kafka.bootstrapServers(), topics, key, value);
  }

  private static void warnOfFewReplicas(Map<String, Config> configs) {
    List<String> few =
        topicsWhere(configs, config -> number(config, TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG) < 2);
    if (!few.isEmpty()) {
      LOG.warn(
          "an acknowledged record may be on one broker only, and be lost with it: {} of {} is below 2",
          TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG,
          String.join(", ", few));
    }
  }

  /** The topics whose configuration is so, in the order of their names. */
  private static List<String> topicsWhere(
      Map<String, Config> configs, Predicate<Config> condition) {
    return configs.entrySet().stream()
        .filter(topic -> condition.test(topic.getValue()))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  private static int number(Config config, String key) {
    return Integer.parseInt(value(config, key));
  }

  private static String value(Config config, String key) {
    return config.get(key).value();
  }

  private void createAccepting(List<String> missing) {
    int brokerDefault = 1_048_588;
    create(
        missing.stream()
            .map(
                name ->
                    new NewTopic(name, kafka.partitions(), kafka.replication())
                        .configs(
                            needed <= brokerDefault
                                ? Map.of()
                                : Map.of(MAX_BYTES, Integer.toString(needed))))
            .toList());
  }

  private void create(List<NewTopic> topics) {
    admin
        .createTopics(topics)
        .values()
        .forEach(
            (name, created) -> {
              try {
                await("create topic " + name, created);
              } catch (IllegalStateException e) {
                // The job, or another gateway, was faster.
                if (!(e.getCause() instanceof TopicExistsException)) {
                  throw e;
                }
              }
            });
  }

  private Map<String, Config> configs(List<String> topics) {
    List<ConfigResource> resources =
        topics.stream().map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic)).toList();
    Map<String, Config> found = new HashMap<>();
    long deadline = System.nanoTime() + kafka.startTimeout().toNanos();
    while (true) {
      try {
        Map<ConfigResource, Config> configs =
            await("describe its topics", admin.describeConfigs(resources).all());
        configs.forEach((resource, config) -> found.put(resource.name(), config));
        return found;
      } catch (IllegalStateException e) {
        // A broker learns of a new topic a little after the controller has made it.
        boolean isNew = e.getCause() instanceof UnknownTopicOrPartitionException;
        if (!isNew || System.nanoTime() > deadline) {
          throw e;
        }
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
      }
    }
  }

  private <T> T await(String what, KafkaFuture<T> answer) {
    try {
      return answer.get(kafka.startTimeout().toMillis(), TimeUnit.MILLISECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "Kafka at %s does not %s: %s".formatted(kafka.bootstrapServers(), what, reason(cause)),
          cause);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Kafka at %s does not %s within %d s; check kafka.bootstrap-servers and that it runs"
              .formatted(kafka.bootstrapServers(), what, kafka.startTimeout().toSeconds()),
          e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while waiting for Kafka", e);
    }
  }

  private static String reason(Throwable failure) {
    return failure.getMessage() == null ? failure.getClass().getSimpleName() : failure.getMessage();
  }
}
