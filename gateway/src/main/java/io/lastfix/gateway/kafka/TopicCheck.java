package io.lastfix.gateway.kafka;

import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.kit.kafka.TopicRule;
import io.lastfix.kit.kafka.Topics;
import io.lastfix.kit.kafka.WantedTopic;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.config.TopicConfig;
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
  private static final int BROKERS_MAX_BYTES = 1_048_588;
  private static final String MAX_BYTES = TopicConfig.MAX_MESSAGE_BYTES_CONFIG;
  private static final String MIN_REPLICAS = TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG;

  private static final TopicRule NOT_COMPACTED =
      new TopicRule(
          TopicConfig.CLEANUP_POLICY_CONFIG,
          TopicConfig.CLEANUP_POLICY_DELETE,
          policy -> !policy.contains(TopicConfig.CLEANUP_POLICY_COMPACT),
          "compacted, so Kafka would delete all records of a device but the last: %1$s. Change this: %4$s");

  private static final TopicRule APPEND_TIMES =
      TopicRule.exactly(
          TopicConfig.MESSAGE_TIMESTAMP_TYPE_CONFIG,
          TimestampType.LOG_APPEND_TIME.name,
          "Topic %1$s has %2$s=%3$s, but presence follows the broker's time: %4$s");

  private final Topics topics;
  private final Topics.Creation creation;
  private final int needed;
  private final TopicRule largeEnough;

  /**
   * A check.
   *
   * @param admin closed by the caller
   * @param maxBytes of a body
   */
  public TopicCheck(Admin admin, KafkaOptions kafka, int maxBytes) {
    topics = new Topics(admin, kafka.bootstrapServers(), kafka.startTimeout());
    creation = new Topics.Creation(kafka.createTopics(), kafka.partitions(), kafka.replication());
    needed = maxBytes + RECORD_OVERHEAD_BYTES;
    largeEnough =
        TopicRule.atLeast(
            MAX_BYTES,
            needed,
            "limits.max-bytes needs topics with %2$s of "
                + needed
                + " or more; too small: %5$s. Lower limits.max-bytes, or raise it: %4$s");
  }

  /**
   * Creates missing topics, if that is allowed, and checks all.
   *
   * @throws IllegalStateException naming every topic that is missing, compacted or too small, and
   *     the remedy
   */
  public void ensure(List<String> names) {
    List<WantedTopic> wanted = names.stream().map(this::ofRecords).toList();
    warnOfFewReplicas(topics.ensure(wanted, creation, ". Create them"));
  }

  private WantedTopic ofRecords(String name) {
    return new WantedTopic(
        name,
        needed <= BROKERS_MAX_BYTES ? Map.of() : Map.of(MAX_BYTES, Integer.toString(needed)),
        List.of(NOT_COMPACTED, largeEnough));
  }

  /**
   * Creates the topic of signs of life, if it is missing and that is allowed, and checks it.
   *
   * @throws IllegalStateException if it is missing or compacted, or stores the producers' times;
   *     says what to do
   */
  public void ensureAppendTimes(String name) {
    var unused =
        topics.ensure(
            List.of(ofHeartbeats(name)),
            creation,
            ". Create it with %s=%s".formatted(APPEND_TIMES.key(), APPEND_TIMES.wanted()));
  }

  private static WantedTopic ofHeartbeats(String name) {
    return new WantedTopic(
        name,
        Map.of(APPEND_TIMES.key(), APPEND_TIMES.wanted()),
        List.of(NOT_COMPACTED, APPEND_TIMES));
  }

  private static void warnOfFewReplicas(Map<String, Map<String, String>> settings) {
    List<String> few =
        settings.entrySet().stream()
            .filter(topic -> Integer.parseInt(topic.getValue().get(MIN_REPLICAS)) < 2)
            .map(Map.Entry::getKey)
            .sorted()
            .toList();
    if (!few.isEmpty()) {
      LOG.warn(
          "an acknowledged record may be on one broker only, and be lost with it: {} of {} is below 2",
          MIN_REPLICAS,
          String.join(", ", few));
    }
  }
}
