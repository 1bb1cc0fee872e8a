package io.lastfix.kit.kafka;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/**
 * Compares topics with what a program wants, and creates the missing ones. Several processes may do
 * that concurrently.
 *
 * <p>If Kafka refuses a request, each method throws an {@link IllegalStateException} that says what
 * failed and the remedy; if Kafka does not answer, an {@link UnansweredException}.
 *
 * @param admin a client that the caller closes
 * @param bootstrapServers the client's, for messages
 * @param limit for each answer, and for a new topic to be known to all brokers
 */
public record Topics(Admin admin, String bootstrapServers, Duration limit) {
  private static final Duration POLL = Duration.ofMillis(50);
  private static final String AHEAD = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

  /**
   * How missing topics are created.
   *
   * @param isAllowed false: a missing topic is an error
   * @param partitions of a new topic, 1 or more
   * @param replication replicas of a new topic, 1 or more, or -1 for the broker's default
   */
  public record Creation(boolean isAllowed, int partitions, short replication) {}

  /** Returns the topics among those that do not exist, in the same order. */
  public List<String> missing(Collection<String> names) {
    List<String> missing = new ArrayList<>(names);
    missing.removeAll(await("list topics", admin.listTopics().names()));
    return missing;
  }

  /**
   * Creates the missing topics, and checks all by their rules.
   *
   * @param instead the remedy after the missing topics' names, if they may not be created, such as
   *     ". Create them"
   * @return the settings by topic
   * @throws IllegalStateException naming what is missing or breaks a rule, and the remedy
   */
  public Map<String, Map<String, String>> ensure(
      List<WantedTopic> wanted, Creation creation, String instead) {
    var unused = createMissing(wanted, creation, instead);
    Map<String, Map<String, String>> settings =
        settings(wanted.stream().map(WantedTopic::name).toList());
    requireRules(wanted, settings);
    return settings;
  }

  /**
   * Creates the missing topics.
   *
   * @param instead as for {@link #ensure}
   * @return whether a topic was missing
   * @throws IllegalStateException naming what is missing, and the remedy
   */
  public boolean createMissing(List<WantedTopic> wanted, Creation creation, String instead) {
    List<String> missing = missing(wanted.stream().map(WantedTopic::name).toList());
    if (missing.isEmpty()) {
      return false;
    }
    if (!creation.isAllowed()) {
      throw new IllegalStateException(
          ("Kafka has no topic %s%s, or set kafka.create-topics: true. Kafka hides a topic from a"
                  + " user without Describe on it: grant that if the topic exists")
              .formatted(String.join(", ", missing), instead));
    }
    create(wanted.stream().filter(topic -> missing.contains(topic.name())).toList(), creation);
    return true;
  }

  /** Creates topics, and waits until they accept messages; existing ones stay as they are. */
  public void create(List<WantedTopic> wanted, Creation creation) {
    Map<String, NewTopic> topics = new LinkedHashMap<>();
    wanted.forEach(
        topic ->
            topics.put(
                topic.name(),
                new NewTopic(topic.name(), creation.partitions(), creation.replication())
                    .configs(topic.settings())));
    admin
        .createTopics(topics.values())
        .values()
        .forEach(
            (name, created) -> {
              try {
                awaitCreated(topics.get(name), created);
                awaitLeaders(name, creation.partitions());
              } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                  throw e;
                }
                // It existed, or another process has created it meanwhile.
              }
            });
  }

  private void awaitCreated(NewTopic topic, KafkaFuture<?> created) {
    String request = "create topic " + topic.name();
    try {
      await(request, created);
    } catch (IllegalStateException e) {
      Map<String, String> settings = new HashMap<>(topic.configs());
      if (!(e.getCause() instanceof InvalidConfigurationException)
          || settings.remove(AHEAD) == null) {
        throw e;
      }
      // A broker before 3.6 does not know that setting.
      NewTopic without =
          new NewTopic(topic.name(), topic.numPartitions(), topic.replicationFactor())
              .configs(settings);
      await(request, admin.createTopics(List.of(without)).all());
    }
  }

  /**
   * Waits until the leader of each partition answers for it. The controller answers before a leader
   * knows of its partition, and a producer that writes in between can get stuck. Of two requests of
   * an idempotent producer, the leader refuses the first and accepts the second. Every retry of the
   * first then is out of sequence, until {@code delivery.timeout.ms} ends it (KAFKA-15591, in
   * brokers up to 3.9 at least).
   */
  private void awaitLeaders(String topic, int partitions) {
    Map<TopicPartition, OffsetSpec> ends = new HashMap<>();
    for (int partition = 0; partition < partitions; partition++) {
      ends.put(new TopicPartition(topic, partition), OffsetSpec.latest());
    }
    var unused =
        awaitKnown("lead the partitions of topic " + topic, () -> admin.listOffsets(ends).all());
  }

  /**
   * Checks settings by the topics' rules.
   *
   * @param settings by topic
   * @throws IllegalStateException naming the topics that break the first broken rule, and the
   *     remedy
   */
  public void requireRules(List<WantedTopic> wanted, Map<String, Map<String, String>> settings) {
    Map<TopicRule, SortedMap<String, String>> broken = new LinkedHashMap<>();
    for (WantedTopic topic : wanted) {
      for (TopicRule rule : topic.rules()) {
        String found = settings.get(topic.name()).getOrDefault(rule.key(), "");
        if (!rule.accepts().test(found)) {
          broken.computeIfAbsent(rule, absent -> new TreeMap<>()).put(topic.name(), found);
        }
      }
    }
    if (!broken.isEmpty()) {
      var first = broken.entrySet().iterator().next();
      throw new IllegalStateException(first.getKey().problem(bootstrapServers, first.getValue()));
    }
  }

  /** Returns the settings by topic, defaults included; a setting without a value is "". */
  public Map<String, Map<String, String>> settings(Collection<String> topics) {
    List<ConfigResource> resources = topics.stream().map(Topics::resource).toList();
    Map<String, Map<String, String>> settings = new HashMap<>();
    awaitKnown(
            "describe topics " + String.join(", ", topics),
            () -> admin.describeConfigs(resources).all())
        .forEach(
            (resource, config) -> {
              Map<String, String> values = new HashMap<>();
              config
                  .entries()
                  .forEach(it -> values.put(it.name(), it.value() == null ? "" : it.value()));
              settings.put(resource.name(), values);
            });
    return settings;
  }

  /** Returns the number of partitions of a topic. */
  public int partitions(String topic) {
    return awaitKnown(
            "describe topic " + topic,
            () -> admin.describeTopics(List.of(topic)).topicNameValues().get(topic))
        .partitions()
        .size();
  }

  /** Changes a setting of a topic. */
  public void set(String topic, String key, String value) {
    AlterConfigOp operation =
        new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    await(
        "set %s of topic %s".formatted(key, topic),
        admin.incrementalAlterConfigs(Map.of(resource(topic), List.of(operation))).all());
  }

  /**
   * Repeats a query until the broker knows the topic. A broker learns of a new topic slightly later
   * than the controller.
   */
  private <T> T awaitKnown(String request, Supplier<KafkaFuture<T>> query) {
    Poll poll = new Poll(POLL, limit);
    while (true) {
      try {
        return await(request, query.get());
      } catch (IllegalStateException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)) {
          throw e;
        }
        try {
          poll.pause(() -> e);
        } catch (InterruptedException interrupted) {
          Thread.currentThread().interrupt();
          throw new IllegalStateException(
              "Interrupted while waiting for Kafka to " + request, interrupted);
        }
      }
    }
  }

  private <T> T await(String request, KafkaFuture<T> answer) {
    try {
      return KafkaAnswer.await(answer, limit);
    } catch (IOException e) {
      throw KafkaFailure.of(request, bootstrapServers, e);
    }
  }

  private static ConfigResource resource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }
}
