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
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;

/**
 * Looks at the topics before the gateway opens: each has to exist, and to take the largest record
 * that the gateway accepts. Otherwise a device would send the same body again and again.
 */
public final class TopicCheck {
  /** Room in a record for what is not the body: key, headers, signature, the batch's head. */
  public static final int RECORD_OVERHEAD_BYTES = 20 * 1024;

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
   * @throws IllegalStateException naming every topic that is missing or too small, and the remedy
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
    List<String> tooSmall = new ArrayList<>();
    maxMessageBytes(topics)
        .forEach(
            (topic, bytes) -> {
              if (bytes < needed) {
                tooSmall.add("%s (%d)".formatted(topic, bytes));
              }
            });
    if (!tooSmall.isEmpty()) {
      throw new IllegalStateException(
          ("limits.max-bytes needs topics with %s of %d or more; too small: %s. Lower"
                  + " limits.max-bytes, or raise it: kafka-configs.sh --alter --entity-type topics"
                  + " --entity-name TOPIC --add-config %s=%d")
              .formatted(
                  MAX_BYTES,
                  needed,
                  String.join(", ", tooSmall.stream().sorted().toList()),
                  MAX_BYTES,
                  needed));
    }
  }

  /**
   * Creates the topic of signs of life, if it is missing and that is allowed, and checks it.
   *
   * @throws IllegalStateException if it is missing, or stores the producers' times; says what to do
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
    String found = setting(List.of(topic), TIMESTAMP_TYPE).get(topic);
    if (!APPEND_TIME.equals(found)) {
      throw new IllegalStateException(
          "Topic %1$s has %2$s=%3$s, but presence follows the broker's time: kafka-configs.sh --alter --entity-type topics --entity-name %1$s --add-config %2$s=%4$s"
              .formatted(topic, TIMESTAMP_TYPE, found, APPEND_TIME));
    }
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

  private Map<String, Integer> maxMessageBytes(List<String> topics) {
    Map<String, Integer> bytes = new HashMap<>();
    setting(topics, MAX_BYTES).forEach((topic, value) -> bytes.put(topic, Integer.parseInt(value)));
    return bytes;
  }

  /** A setting by topic. */
  private Map<String, String> setting(List<String> topics, String key) {
    List<ConfigResource> resources =
        topics.stream().map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic)).toList();
    Map<String, String> values = new HashMap<>();
    long deadline = System.nanoTime() + kafka.startTimeout().toNanos();
    while (true) {
      try {
        Map<ConfigResource, Config> configs =
            await("describe its topics", admin.describeConfigs(resources).all());
        configs.forEach((resource, config) -> values.put(resource.name(), config.get(key).value()));
        return values;
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
