package io.lastfix.kit.kafka;

import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;

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

  /** Returns whether a broker answers within that time. */
  public static boolean brokerAnswers(Admin admin, Duration limit) throws Exception {
    return !admin.describeCluster().nodes().get(limit.toMillis(), TimeUnit.MILLISECONDS).isEmpty();
  }
}
