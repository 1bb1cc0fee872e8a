package io.lastfix.jobs.kafka.topics;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.failure.RootCause;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.KafkaRequestException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;

/** Kafka's admin client for the job and the commands. */
public final class KafkaAdmin {
  private static final Pattern QUOTED = Pattern.compile("'[^']*'");

  private KafkaAdmin() {}

  /**
   * Creates a client of those brokers. It connects in the background.
   *
   * @throws IllegalArgumentException if the properties are invalid. Kafka quotes a wrong {@code
   *     sasl.jaas.config}, so the message omits the quote and the exception has no cause.
   */
  public static Admin connect(KafkaOptions kafka) {
    return connect(kafka.clientProperties());
  }

  /**
   * Creates a client with these properties.
   *
   * @throws IllegalArgumentException as for {@link #connect(KafkaOptions)}
   */
  public static Admin connect(Properties properties) {
    try {
      return Admin.create(properties);
    } catch (KafkaException e) {
      throw new IllegalArgumentException(
          "A Kafka client cannot be created with these kafka.properties: "
              + QUOTED.matcher(String.valueOf(RootCause.of(e).getMessage())).replaceAll("'…'"));
    }
  }

  /**
   * Returns the offsets of a topic's partitions; none if there is no such topic.
   *
   * @throws IOException also if the user may not describe the topic
   */
  public static Map<TopicPartition, Range> ranges(KafkaOptions kafka, String topic)
      throws IOException {
    try (Admin admin = connect(kafka)) {
      return ranges(admin, topic);
    }
  }

  /** By its name: Kafka's list of topics leaves out those that the user may not describe. */
  static Map<TopicPartition, Range> ranges(Admin admin, String topic) throws IOException {
    try {
      TopicDescription described =
          KafkaAnswer.await(admin.describeTopics(List.of(topic)).topicNameValues().get(topic));
      List<TopicPartition> partitions =
          described.partitions().stream()
              .map(partition -> new TopicPartition(topic, partition.partition()))
              .toList();
      return new ConsumerLag(admin).rangesOf(partitions);
    } catch (KafkaRequestException e) {
      if (e.getCause() instanceof UnknownTopicOrPartitionException) {
        return Map.of();
      }
      throw e;
    }
  }
}
