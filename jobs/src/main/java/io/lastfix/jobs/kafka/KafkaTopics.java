package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.DevicesOptions;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.Revision;
import io.lastfix.parse.RejectedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.InvalidConfigurationException;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.record.TimestampType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Creates the topics that a job needs before it starts: the location topics, the compacted
 * catalogue, and the topic of rejected messages. The latter accepts every message of the location
 * topics, up to {@link RejectedMessage#MAX_BYTES}, with its headers. With a smaller limit, one
 * oversized message would block the job permanently.
 *
 * <p>Existing topics are not changed, except that the limits of the rejected topic are raised if
 * they are too low.
 *
 * <p>Several processes may call it concurrently.
 */
public final class KafkaTopics {
  /** Reserve for the headers of a rejected message. */
  static final int HEADER_ROOM_BYTES = 64 * 1024;

  /**
   * The limit that a rejected topic gets if it may be changed. A topic's limit counts compressed
   * bytes, so a message of the location topics may be larger than their limit. By default, a broker
   * accepts requests of up to 100 MiB.
   */
  static final int REJECTED_MESSAGE_BYTES = RejectedMessage.MAX_BYTES + HEADER_ROOM_BYTES;

  /** How long a newly created catalogue topic keeps removals. */
  static final Duration REMOVAL_KEPT = RemovalRetention.DEFAULT.kept();

  private static final String AHEAD = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);
  private static final long REQUEST_TIMEOUT_SECONDS = 30;
  private static final long POLL_MILLIS = 50;

  /** The time limit of closing Kafka's client; later answers are not waited for. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private final Admin admin;
  private final KafkaOptions kafka;

  /**
   * The topics of all jobs, each with the settings that the jobs give it when they create it. If
   * you create a topic beforehand, give it the same.
   */
  public static Map<String, Map<String, String>> settings(LocationJobConfig config) {
    KafkaOptions kafka = config.kafka();
    List<String> names = new ArrayList<>(kafka.locationTopics(config.profileNames()));
    names.add(kafka.cellsTopic());
    names.add(kafka.rejectedTopic());
    if (config.locatedTopic() != null) {
      names.add(config.locatedTopic());
    }
    names.add(config.analytics().countsTopic());
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    names.forEach(name -> settings.put(name, settingsOf(name, kafka)));
    settings.putAll(settingsOf(config.devices()));
    return settings;
  }

  /** Uses a client that the caller closes. */
  public KafkaTopics(Admin admin, KafkaOptions kafka) {
    this.admin = admin;
    this.kafka = kafka;
  }

  /**
   * Creates missing topics, if {@link KafkaOptions#createTopics()} allows it.
   *
   * @param profiles names of the profiles whose topics are needed
   * @return the largest message that the rejected topic accepts, in bytes
   * @throws IllegalStateException naming what is missing or too small, and the remedy
   */
  public int ensure(List<String> profiles) {
    List<String> locationTopics = kafka.locationTopics(profiles);
    List<String> sources = new ArrayList<>(locationTopics);
    sources.add(kafka.cellsTopic());
    List<String> all = new ArrayList<>(sources);
    all.add(kafka.rejectedTopic());

    List<String> missing = missing(all);
    if (!missing.isEmpty()) {
      if (!kafka.createTopics()) {
        throw new IllegalStateException(
            "Kafka has no topic %s. Create them, or set kafka.create-topics: true"
                .formatted(String.join(", ", missing)));
      }
      createMissing(missing, kafka.newTopicPartitions());
    }
    requireCompactedCells();
    warnIfRemovalsAreKeptShortly();
    warnIfCellsMayBeDatedAhead();
    return sizeRejectedTopic(sources);
  }

  /**
   * The topics among those that do not exist, in the same order.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public List<String> missing(Collection<String> names) {
    List<String> missing = new ArrayList<>(names);
    missing.removeAll(await("list topics", admin.listTopics().names()));
    return missing;
  }

  /**
   * Creates the missing topics of the devices job, if {@link KafkaOptions#createTopics()} allows
   * it, and checks existing ones.
   *
   * @return the number of partitions of the heartbeats' topic
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public int ensureDevices(DevicesOptions devices) {
    Map<String, Map<String, String>> configs = settingsOf(devices);
    configs.keySet().removeAll(await("list topics", admin.listTopics().names()));
    if (!configs.isEmpty()) {
      if (!kafka.createTopics()) {
        throw new IllegalStateException(
            "Kafka has no topic %s. Create them, or set kafka.create-topics: true"
                .formatted(String.join(", ", configs.keySet())));
      }
      createMissing(configs, kafka.newTopicPartitions());
    }
    requireSetting(
        devices.heartbeatsTopic(),
        TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
        TimestampType.LOG_APPEND_TIME.name,
        "presence follows the broker's time");
    for (String topic : List.of(devices.presenceTopic(), devices.usageTopic())) {
      requireSetting(
          topic,
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "the newest message of each device has to stay");
    }
    return awaitKnown(
            "describe topic " + devices.heartbeatsTopic(),
            () -> admin.describeTopics(List.of(devices.heartbeatsTopic())).allTopicNames())
        .get(devices.heartbeatsTopic())
        .partitions()
        .size();
  }

  /**
   * Creates the topic of located records if it is missing, and {@link KafkaOptions#createTopics()}
   * allows it. A compacted topic is refused: only the newest record of each user would stay.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensureLocated(String topic) {
    var unused = ensureThere(topic, "located.topic");
    requireSetting(
        topic,
        TopicConfig.CLEANUP_POLICY_CONFIG,
        TopicConfig.CLEANUP_POLICY_DELETE,
        "every record has to stay until the topic's retention ends");
  }

  /**
   * Creates the topic of counts if it is missing, and {@link KafkaOptions#createTopics()} allows
   * it.
   *
   * @throws IllegalStateException naming what is missing, and the remedy
   */
  public void ensureCounts(String topic) {
    var unused = ensureThere(topic, "analytics.counts-topic");
  }

  /** Returns whether the topic was missing. */
  private boolean ensureThere(String topic, String key) {
    if (await("list topics", admin.listTopics().names()).contains(topic)) {
      return false;
    }
    if (!kafka.createTopics()) {
      throw new IllegalStateException(
          "Kafka has no topic %s (%s). Create it, or set kafka.create-topics: true"
              .formatted(topic, key));
    }
    createMissing(List.of(topic), kafka.newTopicPartitions());
    return true;
  }

  private void requireSetting(String topic, String key, String wanted, String reason) {
    String found = configs(List.of(topic)).get(topicResource(topic)).get(key).value();
    if (!found.equals(wanted)) {
      throw new IllegalStateException(
          "Topic %1$s has %2$s=%3$s, but %5$s. Lastfix does not change an existing topic: kafka-configs.sh --bootstrap-server %6$s --alter --entity-type topics --entity-name %1$s --add-config %2$s=%4$s"
              .formatted(topic, key, found, wanted, reason, kafka.bootstrapServers()));
    }
  }

  /**
   * Creates missing topics; existing ones keep their partitions.
   *
   * @param partitions of a new topic, 1 or more
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public void createMissing(Collection<String> names, int partitions) {
    Map<String, Map<String, String>> configs = new LinkedHashMap<>();
    names.forEach(name -> configs.put(name, settingsOf(name, kafka)));
    createMissing(configs, partitions);
  }

  /**
   * Creates missing topics with settings; existing ones keep theirs.
   *
   * @param configs by topic
   */
  private void createMissing(Map<String, Map<String, String>> configs, int partitions) {
    Map<String, NewTopic> topics = new LinkedHashMap<>();
    configs.forEach(
        (name, config) ->
            topics.put(
                name, new NewTopic(name, partitions, kafka.newTopicReplication()).configs(config)));
    admin
        .createTopics(topics.values())
        .values()
        .forEach(
            (name, created) -> {
              try {
                awaitCreated(topics.get(name), created);
                var unused =
                    awaitKnown(
                        "lead the partitions of topic " + name,
                        () -> NewPartitions.lead(admin, name, partitions));
              } catch (IllegalStateException e) {
                if (!(e.getCause() instanceof TopicExistsException)) {
                  throw e;
                }
                // It existed, or another job or command has created it meanwhile.
              }
            });
  }

  private static Map<String, String> settingsOf(String name, KafkaOptions kafka) {
    if (name.equals(kafka.cellsTopic())) {
      return Map.of(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          TopicConfig.DELETE_RETENTION_MS_CONFIG,
          Long.toString(REMOVAL_KEPT.toMillis()),
          AHEAD,
          Long.toString(Revision.MAX_AHEAD_MILLIS));
    }
    if (name.equals(kafka.rejectedTopic())) {
      return Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(REJECTED_MESSAGE_BYTES));
    }
    return Map.of();
  }

  private static Map<String, Map<String, String>> settingsOf(DevicesOptions devices) {
    Map<String, String> compacted =
        Map.of(TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT);
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    settings.put(
        devices.heartbeatsTopic(),
        Map.of(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG, TimestampType.LOG_APPEND_TIME.name));
    settings.put(devices.presenceTopic(), compacted);
    settings.put(devices.usageTopic(), compacted);
    return settings;
  }

  private void awaitCreated(NewTopic topic, KafkaFuture<?> created) {
    String what = "create topic " + topic.name();
    try {
      await(what, created);
    } catch (IllegalStateException e) {
      Map<String, String> configs = new HashMap<>(topic.configs());
      if (!(e.getCause() instanceof InvalidConfigurationException)
          || configs.remove(AHEAD) == null) {
        throw e;
      }
      // A broker before 3.6 does not know that setting.
      NewTopic without =
          new NewTopic(topic.name(), topic.numPartitions(), topic.replicationFactor())
              .configs(configs);
      await(what, admin.createTopics(List.of(without)).all());
    }
  }

  private int ensureRejected() {
    String topic = kafka.rejectedTopic();
    boolean isThere = await("list topics", admin.listTopics().names()).contains(topic);
    if (!kafka.createTopics()) {
      if (!isThere) {
        throw new IllegalStateException(
            "Kafka has no topic %s. Create it, or set kafka.create-topics: true".formatted(topic));
      }
      return maxMessageBytes(List.of(topic)).get(topic);
    }
    if (!isThere) {
      LOG.warn(
          "Topic {} no longer exists, and its messages are lost. The job creates it again", topic);
      createMissing(List.of(topic), kafka.newTopicPartitions());
    }
    int has = maxMessageBytes(List.of(topic)).get(topic);
    if (has >= REJECTED_MESSAGE_BYTES) {
      return has;
    }
    try {
      acceptLargestRejections();
      return REJECTED_MESSAGE_BYTES;
    } catch (IllegalStateException e) {
      LOG.warn("Topic {} keeps its limit of {} bytes: {}", topic, has, e.getMessage());
      return has;
    }
  }

  private int sizeRejectedTopic(List<String> sources) {
    List<String> all = new ArrayList<>(sources);
    all.add(kafka.rejectedTopic());
    Map<String, Integer> sizes = maxMessageBytes(all);
    int largest = sources.stream().mapToInt(sizes::get).max().orElseThrow();
    int needs = Math.min(largest, RejectedMessage.MAX_BYTES) + HEADER_ROOM_BYTES;
    int has = sizes.get(kafka.rejectedTopic());
    if (!kafka.createTopics()) {
      if (has < needs) {
        throw new IllegalStateException(
            ("Topic %s accepts messages of up to %d bytes, but a message of the location topics"
                    + " with its headers can have %d. Raise its max.message.bytes, or its segment.bytes")
                .formatted(kafka.rejectedTopic(), has, needs));
      }
      return has;
    }
    if (has < REJECTED_MESSAGE_BYTES) {
      acceptLargestRejections();
    }
    return Math.max(has, REJECTED_MESSAGE_BYTES);
  }

  private void acceptLargestRejections() {
    raise(kafka.rejectedTopic(), TopicConfig.MAX_MESSAGE_BYTES_CONFIG, REJECTED_MESSAGE_BYTES);
    raise(kafka.rejectedTopic(), TopicConfig.SEGMENT_BYTES_CONFIG, REJECTED_MESSAGE_BYTES);
  }

  private void raise(String topic, String key, int wanted) {
    int has = intConfig(configs(List.of(topic)).get(topicResource(topic)), key);
    if (has < wanted) {
      LOG.warn(
          "Topic {} has {}={}: the job raises it to {}, so that every message fits that it may"
              + " reject",
          topic,
          key,
          has,
          wanted);
      set(topic, key, Integer.toString(wanted));
    }
  }

  private void requireCompactedCells() {
    String policy =
        configs(List.of(kafka.cellsTopic()))
            .get(topicResource(kafka.cellsTopic()))
            .get(TopicConfig.CLEANUP_POLICY_CONFIG)
            .value();
    if (policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
      return;
    }
    throw new IllegalStateException(
        "Topic %1$s has cleanup.policy=%2$s, but the catalogue needs cleanup.policy=compact: with %2$s, Kafka deletes its entries over time. Lastfix does not change an existing topic. Name another topic in kafka.cells-topic, or change this one: kafka-configs.sh --bootstrap-server %3$s --alter --entity-type topics --entity-name %1$s --add-config cleanup.policy=compact"
            .formatted(kafka.cellsTopic(), policy, kafka.bootstrapServers()));
  }

  /**
   * How long the catalogue's topic, which must exist, keeps removals.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public RemovalRetention removalRetention() {
    String kept =
        configs(List.of(kafka.cellsTopic()))
            .get(topicResource(kafka.cellsTopic()))
            .get(TopicConfig.DELETE_RETENTION_MS_CONFIG)
            .value();
    return new RemovalRetention(Duration.ofMillis(Long.parseLong(kept)));
  }

  /** Only warns, because the setting may be intended. */
  private void warnIfRemovalsAreKeptShortly() {
    Duration kept = removalRetention().kept();
    if (kept.compareTo(RemovalRetention.SHORTEST) < 0) {
      LOG.warn(
          "Topic {} has {}={}: if a job is down for that long, it may miss a removal and keep"
              + " the cell forever. Set it to {} ({} days), as in a topic that Lastfix creates",
          kafka.cellsTopic(),
          TopicConfig.DELETE_RETENTION_MS_CONFIG,
          kept.toMillis(),
          REMOVAL_KEPT.toMillis(),
          REMOVAL_KEPT.toDays());
    } else if (kept.compareTo(REMOVAL_KEPT) < 0) {
      LOG.warn(
          "Topic {} has {}={}: a job that is restored after half of that time reads the whole"
              + " catalogue again. Set it to {} ({} days), as in a topic that Lastfix creates",
          kafka.cellsTopic(),
          TopicConfig.DELETE_RETENTION_MS_CONFIG,
          kept.toMillis(),
          REMOVAL_KEPT.toMillis(),
          REMOVAL_KEPT.toDays());
    }
  }

  /**
   * A message's timestamp may be its revision. A consumer's clock cannot check it, because the
   * result would change with the time of reading. The broker can, once.
   */
  private void warnIfCellsMayBeDatedAhead() {
    Config config = configs(List.of(kafka.cellsTopic())).get(topicResource(kafka.cellsTopic()));
    ConfigEntry ahead = config.get(AHEAD);
    boolean isBounded = ahead != null && Long.parseLong(ahead.value()) <= Revision.MAX_AHEAD_MILLIS;
    boolean isBrokersTime =
        config
            .get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG)
            .value()
            .equals(TimestampType.LOG_APPEND_TIME.name);
    if (!isBounded && !isBrokersTime) {
      LOG.warn(
          "Topic {} accepts messages with timestamps in the far future. Such a message would"
              + " override all later ones for its cell until its timestamp, since its timestamp is its"
              + " revision. Set {}={}{}",
          kafka.cellsTopic(),
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          TimestampType.LOG_APPEND_TIME.name,
          // A broker before 3.6 does not know that setting.
          ahead == null
              ? ""
              : ", or %s=%d, as in a topic that Lastfix creates"
                  .formatted(AHEAD, Revision.MAX_AHEAD_MILLIS));
    }
  }

  /**
   * The largest message that the rejected topic accepts now. If the topic was deleted or its limits
   * were lowered, creates it or raises them, if {@link KafkaOptions#createTopics()} allows it.
   * Otherwise the job would restart forever.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  static int rejectedMessageBytes(KafkaOptions kafka) {
    Admin admin = KafkaAdmin.connect(kafka);
    try {
      return new KafkaTopics(admin, kafka).ensureRejected();
    } finally {
      admin.close(CLOSE_LIMIT);
    }
  }

  /**
   * Creates the topic of located records again, if somebody has deleted it and {@link
   * KafkaOptions#createTopics()} allows it. Otherwise the jobs would restart for ever. If Kafka
   * does not answer, nothing is known, and Kafka's clients wait for it later.
   *
   * @throws IllegalStateException if Kafka refuses, or the topic is missing and may not be created
   */
  static void createLocatedAgain(KafkaOptions kafka, String topic) {
    Admin admin = KafkaAdmin.connect(kafka);
    try {
      if (new KafkaTopics(admin, kafka).ensureThere(topic, "located.topic")) {
        LOG.warn(
            "Topic {} did not exist any more, and the numbers lack what it held: run lastfix"
                + " analyze. The job has created it again with {} partitions; if it had more, submit"
                + " the analytics job without --resume",
            topic,
            kafka.newTopicPartitions());
      }
    } catch (Unanswered e) {
      LOG.warn("Whether Kafka has the topic {} is not known: {}", topic, e.getMessage());
    } finally {
      admin.close(CLOSE_LIMIT);
    }
  }

  private void set(String topic, String key, String value) {
    AlterConfigOp operation =
        new AlterConfigOp(new ConfigEntry(key, value), AlterConfigOp.OpType.SET);
    await(
        "set %s of topic %s".formatted(key, topic),
        admin.incrementalAlterConfigs(Map.of(topicResource(topic), List.of(operation))).all());
  }

  /** The largest message of each topic: it must also fit into a segment of the topic's log. */
  private Map<String, Integer> maxMessageBytes(Collection<String> topics) {
    Map<String, Integer> sizes = new HashMap<>();
    configs(topics)
        .forEach(
            (resource, config) ->
                sizes.put(
                    resource.name(),
                    Math.min(
                        intConfig(config, TopicConfig.MAX_MESSAGE_BYTES_CONFIG),
                        intConfig(config, TopicConfig.SEGMENT_BYTES_CONFIG))));
    return sizes;
  }

  private static int intConfig(Config config, String key) {
    return Integer.parseInt(config.get(key).value());
  }

  private Map<ConfigResource, Config> configs(Collection<String> topics) {
    Set<ConfigResource> resources =
        topics.stream().map(KafkaTopics::topicResource).collect(Collectors.toSet());
    return awaitKnown(
        "describe topics " + String.join(", ", topics),
        () -> admin.describeConfigs(resources).all());
  }

  /**
   * Repeats a query until the broker knows the topic. A broker learns of a new topic slightly later
   * than the controller.
   */
  private <T> T awaitKnown(String what, Supplier<KafkaFuture<T>> query) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(REQUEST_TIMEOUT_SECONDS);
    while (true) {
      try {
        return await(what, query.get());
      } catch (IllegalStateException e) {
        if (!(e.getCause() instanceof UnknownTopicOrPartitionException)
            || System.nanoTime() - deadline > 0) {
          throw e;
        }
      }
      pause(what);
    }
  }

  private static void pause(String what) {
    try {
      Thread.sleep(POLL_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for Kafka to " + what, e);
    }
  }

  private static ConfigResource topicResource(String topic) {
    return new ConfigResource(ConfigResource.Type.TOPIC, topic);
  }

  private <T> T await(String what, KafkaFuture<T> answer) {
    try {
      return answer.get(REQUEST_TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while waiting for Kafka to " + what, e);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof org.apache.kafka.common.errors.TimeoutException) {
        throw unanswered(what);
      }
      String message = "Kafka could not " + what + ": " + KafkaAdmin.explain(e.getCause());
      // No cause for a wrong password or certificate: the message is complete, and callers report
      // the deepest cause.
      throw e.getCause() instanceof AuthenticationException
          ? new IllegalStateException(message)
          : new IllegalStateException(message, e.getCause());
    } catch (TimeoutException e) {
      throw unanswered(what);
    }
  }

  /** Has no cause: a client's timeout adds no information, and callers report the deepest cause. */
  private Unanswered unanswered(String what) {
    return new Unanswered(
        "Kafka at %s does not answer the request to %s: check kafka.bootstrap-servers and that the broker runs; if it requires TLS or SASL, check kafka.properties.security.protocol"
            .formatted(kafka.bootstrapServers(), what));
  }

  private static final class Unanswered extends IllegalStateException {
    private static final long serialVersionUID = 1;

    Unanswered(String message) {
      super(message);
    }
  }
}
