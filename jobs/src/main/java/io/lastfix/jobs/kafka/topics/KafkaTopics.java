package io.lastfix.jobs.kafka.topics;

import io.lastfix.jobs.config.DevicesOptions;
import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.jobs.config.LocationJobConfig;
import io.lastfix.jobs.config.RulesOptions;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.TopicRule;
import io.lastfix.kit.kafka.Topics;
import io.lastfix.kit.kafka.Topics.Creation;
import io.lastfix.kit.kafka.UnansweredException;
import io.lastfix.kit.kafka.WantedTopic;
import io.lastfix.locate.RemovalRetention;
import io.lastfix.model.Revision;
import io.lastfix.parse.RejectedMessage;
import io.lastfix.rules.alert.AlertTopics;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.TopicConfig;
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
 *
 * @param admin a client, which the caller or {@link #close} closes
 * @param kafka the topics' names, and whether they may be created
 */
public record KafkaTopics(Admin admin, KafkaOptions kafka) implements AutoCloseable {
  /** Reserve for the headers of a rejected message. */
  static final int HEADER_ROOM_BYTES = 64 * 1024;

  /**
   * The limit that a rejected topic gets if it may be changed. A topic's limit counts compressed
   * bytes, so a message of the location topics may be larger than their limit. By default, a broker
   * accepts requests of up to 100 MiB.
   */
  public static final int REJECTED_MESSAGE_BYTES = RejectedMessage.MAX_BYTES + HEADER_ROOM_BYTES;

  /** How long a newly created catalogue topic keeps removals. */
  static final Duration REMOVAL_KEPT = RemovalRetention.DEFAULT.kept();

  private static final String AHEAD = TopicConfig.MESSAGE_TIMESTAMP_AFTER_MAX_MS_CONFIG;

  private static final Logger LOG = LoggerFactory.getLogger(KafkaTopics.class);

  /** The time limit of closing Kafka's client. */
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(1);

  private static final String CREATE_THEM = ". Create them";
  private static final String NOT_CHANGED = ". Lastfix does not change an existing topic";

  private static final TopicRule COMPACTED_CELLS =
      TopicRule.exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "Topic %1$s has %2$s=%3$s, but the catalogue needs cleanup.policy=compact: with %3$s, Kafka deletes its entries over time"
              + NOT_CHANGED
              + ". Name another topic in kafka.cells-topic, or change this one: %4$s");

  private static final TopicRule APPEND_TIMES =
      exactly(
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          TimestampType.LOG_APPEND_TIME.name,
          "presence follows the broker's time");

  private static final TopicRule COMPACTED =
      exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "the newest message of each device has to stay");

  private static final TopicRule COMPACTED_RULES =
      exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "the newest message of each rule and fence has to stay");

  private static final TopicRule COMPACTED_APPLIED =
      exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_COMPACT,
          "the newest message of each subtask has to stay");

  /**
   * Subtasks write all the time, and Kafka compacts only what is not in the newest segment: with
   * its default of a week, each command that waits for them would read all messages of a week.
   */
  private static final Duration APPLIED_SEGMENT = Duration.ofHours(1);

  private static final TopicRule NOT_COMPACTED =
      exactly(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          "every record has to stay until the topic's retention ends");

  /**
   * The topics of all jobs, each with the settings that the jobs give it when they create it. If
   * you create a topic beforehand, give it the same.
   */
  public static Map<String, Map<String, String>> settings(LocationJobConfig config) {
    KafkaOptions kafka = config.kafka();
    List<WantedTopic> all = new ArrayList<>(ofLocations(kafka, config.profileNames()));
    if (config.locatedTopic() != null) {
      all.add(located(config.locatedTopic()));
    }
    all.add(WantedTopic.plain(config.analytics().countsTopic()));
    all.addAll(ofDevices(config.devices()));
    all.addAll(ofRules(config.rules()));
    Map<String, Map<String, String>> settings = new LinkedHashMap<>();
    all.forEach(topic -> settings.put(topic.name(), topic.settings()));
    return settings;
  }

  /** The topics whose messages have one order, and therefore one partition. */
  public static List<String> ofOnePartition(LocationJobConfig config) {
    return List.of(config.rules().topic(), config.rules().appliedTopic());
  }

  private static TopicRule exactly(String key, String wanted, String reason) {
    return TopicRule.exactly(
        key, wanted, "Topic %1$s has %2$s=%3$s, but " + reason + NOT_CHANGED + ": %4$s");
  }

  /** The profiles' topics, the catalogue, and the topic of rejected messages, in this order. */
  private static List<WantedTopic> ofLocations(KafkaOptions kafka, List<String> profiles) {
    List<String> names = new ArrayList<>(kafka.locationTopics(profiles));
    names.add(kafka.cellsTopic());
    names.add(kafka.rejectedTopic());
    return names.stream().map(name -> wanted(name, kafka)).toList();
  }

  private static WantedTopic wanted(String name, KafkaOptions kafka) {
    if (name.equals(kafka.cellsTopic())) {
      return new WantedTopic(
          name,
          Map.of(
              TopicConfig.CLEANUP_POLICY_CONFIG,
              TopicConfig.CLEANUP_POLICY_COMPACT,
              TopicConfig.DELETE_RETENTION_MS_CONFIG,
              Long.toString(REMOVAL_KEPT.toMillis()),
              AHEAD,
              Long.toString(Revision.MAX_AHEAD_MILLIS)),
          List.of(COMPACTED_CELLS));
    }
    if (name.equals(kafka.rejectedTopic())) {
      return new WantedTopic(
          name,
          Map.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, Integer.toString(REJECTED_MESSAGE_BYTES)),
          List.of());
    }
    return WantedTopic.plain(name);
  }

  private static List<WantedTopic> ofDevices(DevicesOptions devices) {
    return List.of(
        describedBy(devices.heartbeatsTopic(), APPEND_TIMES),
        describedBy(devices.presenceTopic(), COMPACTED),
        describedBy(devices.usageTopic(), COMPACTED));
  }

  private static List<WantedTopic> ofRules(RulesOptions rules) {
    return List.of(
        describedBy(rules.topic(), COMPACTED_RULES),
        applied(rules.appliedTopic()),
        AlertTopics.alerts(rules.alertsTopic()));
  }

  private static WantedTopic applied(String name) {
    return new WantedTopic(
        name,
        Map.of(
            COMPACTED_APPLIED.key(),
            COMPACTED_APPLIED.wanted(),
            TopicConfig.SEGMENT_MS_CONFIG,
            Long.toString(APPLIED_SEGMENT.toMillis())),
        List.of(COMPACTED_APPLIED));
  }

  /** A topic that is created as its rule wants it. */
  private static WantedTopic describedBy(String name, TopicRule rule) {
    return new WantedTopic(name, Map.of(rule.key(), rule.wanted()), List.of(rule));
  }

  private static WantedTopic located(String name) {
    return WantedTopic.checked(name, NOT_COMPACTED);
  }

  /**
   * Connects to those brokers, in the background.
   *
   * @throws IllegalArgumentException as {@link KafkaAdmin#connect(KafkaOptions)}
   */
  public static KafkaTopics connect(KafkaOptions kafka) {
    return new KafkaTopics(KafkaAdmin.connect(kafka), kafka);
  }

  private Topics topics() {
    return new Topics(admin, kafka.bootstrapServers(), KafkaAnswer.LIMIT);
  }

  private Creation creation() {
    return new Creation(
        kafka.createTopics(), kafka.newTopicPartitions(), kafka.newTopicReplication());
  }

  /**
   * Creates missing topics, if {@link KafkaOptions#createTopics()} allows it.
   *
   * @param profiles names of the profiles whose topics are needed
   * @return the largest message that the rejected topic accepts, in bytes
   * @throws IllegalStateException naming what is missing or too small, and the remedy
   */
  public int ensure(List<String> profiles) {
    List<WantedTopic> wanted = ofLocations(kafka, profiles);
    Map<String, Map<String, String>> settings = topics().ensure(wanted, creation(), CREATE_THEM);
    Map<String, String> cells = settings.get(kafka.cellsTopic());
    warnIfRemovalsAreKeptShortly(removalRetention(cells).kept());
    warnIfCellsMayBeDatedAhead(cells);
    return sizeRejectedTopic(settings);
  }

  /**
   * The topics among those that do not exist, in the same order.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public List<String> missing(Collection<String> names) {
    return topics().missing(names);
  }

  /**
   * Creates the missing topics of the devices job, if {@link KafkaOptions#createTopics()} allows
   * it, and checks existing ones.
   *
   * @return the number of partitions of the heartbeats' topic
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public int ensureDevices(DevicesOptions devices) {
    var unused = topics().ensure(ofDevices(devices), creation(), CREATE_THEM);
    return topics().partitions(devices.heartbeatsTopic());
  }

  /**
   * Creates the topic of located records if it is missing, and {@link KafkaOptions#createTopics()}
   * allows it. A compacted topic is refused: only the newest record of each user would stay.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensureLocated(String topic) {
    var unused = topics().ensure(List.of(located(topic)), creation(), createIt("located.topic"));
  }

  /**
   * Creates the topic of counts if it is missing, and {@link KafkaOptions#createTopics()} allows
   * it.
   *
   * @throws IllegalStateException naming what is missing, and the remedy
   */
  public void ensureCounts(String topic) {
    var unused =
        topics()
            .ensure(
                List.of(WantedTopic.plain(topic)), creation(), createIt("analytics.counts-topic"));
  }

  /**
   * Creates the topic of changes of presence if it is missing, and {@link
   * KafkaOptions#createTopics()} allows it.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensurePresence(String topic) {
    var unused =
        topics()
            .ensure(
                List.of(describedBy(topic, COMPACTED)),
                creation(),
                createIt("devices.presence-topic"));
  }

  /**
   * Creates the topic of rules and fences if it is missing, and {@link KafkaOptions#createTopics()}
   * allows it. It has one partition, so all programs read its messages in one order.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensureRules(String topic) {
    ensureOfOnePartition(describedBy(topic, COMPACTED_RULES), "rules.topic");
  }

  /**
   * Creates the topic in which the rules job acknowledges rules if it is missing, and {@link
   * KafkaOptions#createTopics()} allows it. It has one partition.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensureApplied(String topic) {
    ensureOfOnePartition(applied(topic), "rules.applied-topic");
  }

  private void ensureOfOnePartition(WantedTopic topic, String key) {
    var unused =
        topics()
            .ensure(
                List.of(topic),
                new Creation(kafka.createTopics(), 1, kafka.newTopicReplication()),
                createIt(key));
    int partitions = topics().partitions(topic.name());
    if (partitions != 1) {
      throw new IllegalStateException(
          "Topic %s has %d partitions, but rules need the order of one: name another topic in %s"
              .formatted(topic.name(), partitions, key));
    }
  }

  /**
   * Creates the topic of alerts if it is missing, and {@link KafkaOptions#createTopics()} allows
   * it. A compacted topic is refused: only the newest alert of each user would stay.
   *
   * @throws IllegalStateException naming what is missing or wrong, and the remedy
   */
  public void ensureAlerts(String topic) {
    var unused =
        topics()
            .ensure(List.of(AlertTopics.alerts(topic)), creation(), createIt("rules.alerts-topic"));
  }

  private static String createIt(String key) {
    return " (%s). Create it".formatted(key);
  }

  /**
   * Creates missing topics; existing ones keep their partitions.
   *
   * @param partitions of a new topic, 1 or more
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public void createMissing(Collection<String> names, int partitions) {
    topics()
        .create(
            names.stream().map(name -> wanted(name, kafka)).toList(),
            new Creation(true, partitions, kafka.newTopicReplication()));
  }

  private int ensureRejected() {
    String topic = kafka.rejectedTopic();
    if (topics().createMissing(List.of(wanted(topic, kafka)), creation(), ". Create it")) {
      LOG.warn(
          "Topic {} no longer existed, and its messages are lost. The job has created it again",
          topic);
    }
    Map<String, String> settings = settings(topic);
    int has = maxMessageBytes(settings);
    if (!kafka.createTopics() || has >= REJECTED_MESSAGE_BYTES) {
      return has;
    }
    try {
      acceptLargestRejections(settings);
      return REJECTED_MESSAGE_BYTES;
    } catch (IllegalStateException e) {
      LOG.warn("Topic {} keeps its limit of {} bytes: {}", topic, has, e.getMessage());
      return has;
    }
  }

  /**
   * @param settings of the topic of rejected messages and of the topics whose messages it takes
   */
  private int sizeRejectedTopic(Map<String, Map<String, String>> settings) {
    Map<String, String> rejected = settings.get(kafka.rejectedTopic());
    int has = maxMessageBytes(rejected);
    if (kafka.createTopics()) {
      if (has < REJECTED_MESSAGE_BYTES) {
        acceptLargestRejections(rejected);
      }
      return Math.max(has, REJECTED_MESSAGE_BYTES);
    }
    int largest =
        settings.keySet().stream()
            .filter(topic -> !topic.equals(kafka.rejectedTopic()))
            .mapToInt(topic -> maxMessageBytes(settings.get(topic)))
            .max()
            .orElseThrow();
    int needs = Math.min(largest, RejectedMessage.MAX_BYTES) + HEADER_ROOM_BYTES;
    if (has < needs) {
      throw new IllegalStateException(
          ("Topic %s accepts messages of up to %d bytes, but a message of the location topics"
                  + " with its headers can have %d. Raise its max.message.bytes, or its segment.bytes")
              .formatted(kafka.rejectedTopic(), has, needs));
    }
    return has;
  }

  private void acceptLargestRejections(Map<String, String> settings) {
    for (String key :
        List.of(TopicConfig.MAX_MESSAGE_BYTES_CONFIG, TopicConfig.SEGMENT_BYTES_CONFIG)) {
      String has = settings.get(key);
      if (Integer.parseInt(has) < REJECTED_MESSAGE_BYTES) {
        LOG.warn(
            "Topic {} has {}={}: the job raises it to {}, so that every message fits that it may"
                + " reject",
            kafka.rejectedTopic(),
            key,
            has,
            REJECTED_MESSAGE_BYTES);
        topics().set(kafka.rejectedTopic(), key, Integer.toString(REJECTED_MESSAGE_BYTES));
      }
    }
  }

  /**
   * How long the catalogue's topic, which must exist, keeps removals.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public RemovalRetention removalRetention() {
    return removalRetention(settings(kafka.cellsTopic()));
  }

  private static RemovalRetention removalRetention(Map<String, String> cells) {
    String kept = cells.get(TopicConfig.DELETE_RETENTION_MS_CONFIG);
    return new RemovalRetention(Duration.ofMillis(Long.parseLong(kept)));
  }

  /** Only warns, because the setting may be intended. */
  private void warnIfRemovalsAreKeptShortly(Duration kept) {
    if (kept.compareTo(REMOVAL_KEPT) >= 0) {
      return;
    }
    LOG.warn(
        "Topic {} has {}={}: {}. Set it to {} ({} days), as in a topic that Lastfix creates",
        kafka.cellsTopic(),
        TopicConfig.DELETE_RETENTION_MS_CONFIG,
        kept.toMillis(),
        kept.compareTo(RemovalRetention.SHORTEST) < 0
            ? "if a job is down for that long, it may miss a removal and keep the cell forever"
            : "a job that is restored after half of that time reads the whole catalogue again",
        REMOVAL_KEPT.toMillis(),
        REMOVAL_KEPT.toDays());
  }

  /**
   * A message's timestamp may be its revision. A consumer's clock cannot check it, because the
   * result would change with the time of reading. The broker can, once.
   */
  private void warnIfCellsMayBeDatedAhead(Map<String, String> cells) {
    String ahead = cells.get(AHEAD);
    boolean isBounded = ahead != null && Long.parseLong(ahead) <= Revision.MAX_AHEAD_MILLIS;
    boolean isBrokersTime =
        TimestampType.LOG_APPEND_TIME.name.equals(
            cells.get(TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG));
    if (!isBounded && !isBrokersTime) {
      LOG.warn(
          "Topic {} accepts messages with timestamps in the far future. Such a message would"
              + " override all later ones for its cell until its timestamp, since its timestamp is its"
              + " revision. Set {}={}{}",
          kafka.cellsTopic(),
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          TimestampType.LOG_APPEND_TIME.name,
          // A broker before 3.6 does not have that setting.
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
  public static int rejectedMessageBytes(KafkaOptions kafka) {
    try (KafkaTopics topics = connect(kafka)) {
      return topics.ensureRejected();
    }
  }

  /**
   * Creates the topic of located records again, if it was deleted and {@link
   * KafkaOptions#createTopics()} allows it. Otherwise the jobs would restart for ever. If Kafka
   * does not answer, nothing is known, and Kafka's clients wait for it later.
   *
   * @throws IllegalStateException if Kafka refuses, or the topic is missing and may not be created
   */
  public static void createLocatedAgain(KafkaOptions kafka, String topic) {
    try (KafkaTopics topics = connect(kafka)) {
      if (topics
          .topics()
          .createMissing(List.of(located(topic)), topics.creation(), createIt("located.topic"))) {
        LOG.warn(
            "Topic {} did not exist any more. What no job had read of it is in no alert and no number:"
                + " lastfix analyze adds it to the numbers. The job has created it again with {}"
                + " partitions; if it had more, submit the jobs that read it without --resume",
            topic,
            kafka.newTopicPartitions());
      }
    } catch (UnansweredException e) {
      LOG.warn("Whether Kafka has the topic {} is not known: {}", topic, e.getMessage());
    }
  }

  /** Returns what finds location topics with unread records. */
  public UnreadTopics unreadTopics() {
    return new UnreadTopics(admin, kafka);
  }

  /** Closes the client; later answers are not waited for. */
  @Override
  public void close() {
    admin.close(CLOSE_LIMIT);
  }

  private Map<String, String> settings(String topic) {
    return topics().settings(List.of(topic)).get(topic);
  }

  /** The largest message of a topic: it must also fit into a segment of the topic's log. */
  private static int maxMessageBytes(Map<String, String> settings) {
    return Math.min(
        Integer.parseInt(settings.get(TopicConfig.MAX_MESSAGE_BYTES_CONFIG)),
        Integer.parseInt(settings.get(TopicConfig.SEGMENT_BYTES_CONFIG)));
  }
}
