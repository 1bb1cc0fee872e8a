package io.lastfix.kit.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;

/** Clients of Kafka that do not wait for long. */
public final class KafkaClients {
  private KafkaClients() {}

  /**
   * Properties of a client that gives up after the limit; the limit overrides the given properties.
   */
  public static Properties withShortTimeouts(Properties client, Duration limit) {
    int limitMillis = (int) limit.toMillis();
    Properties withShortTimeouts = new Properties();
    withShortTimeouts.putAll(client);
    withShortTimeouts.putAll(
        Map.of(
            AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, limitMillis,
            AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, limitMillis,
            AdminClientConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, 200));
    return withShortTimeouts;
  }

  /**
   * Returns a consumer that the caller assigns partitions. It commits nothing, and creates no
   * topic.
   *
   * @param client properties of Kafka clients
   * @param limit of each request
   * @param reset where a partition is read on whose messages were deleted: {@code earliest} or
   *     {@code latest}
   */
  public static Consumer<byte @Nullable [], byte @Nullable []> consumer(
      Properties client, Duration limit, String reset) {
    Properties properties = withShortTimeouts(client, limit);
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, reset);
    properties.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    // Without new messages a poll ends soon.
    properties.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "100");
    return new KafkaConsumer<>(
        properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /** Returns whether a broker answers within that time. */
  public static boolean brokerAnswers(Admin admin, Duration limit) throws Exception {
    return !admin.describeCluster().nodes().get(limit.toMillis(), TimeUnit.MILLISECONDS).isEmpty();
  }
}
