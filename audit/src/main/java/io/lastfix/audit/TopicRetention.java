package io.lastfix.audit;

import io.lastfix.audit.FirstMessages.Retention;
import io.lastfix.kit.kafka.KafkaAnswer;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.AuthorizationException;

/**
 * What Kafka's own deletion leaves of a topic, by the topic's settings. It does not detect
 * deletions by an administrator.
 */
record TopicRetention(Admin admin, InstantSource clock) implements Retention {
  private static final String UNLIMITED = "-1";

  @Override
  public long keptFromMillis(String topic) throws IOException {
    ConfigResource resource = new ConfigResource(ConfigResource.Type.TOPIC, topic);
    try {
      Config config =
          KafkaAnswer.await(admin.describeConfigs(List.of(resource)).all()).get(resource);
      return keptFromMillis(config, clock.millis());
    } catch (IOException e) {
      if (e.getCause() instanceof AuthorizationException) {
        // The setting is unknown if Kafka does not report it; the report then says what could not
        // be judged.
        return FirstMessages.NEVER;
      }
      throw e;
    }
  }

  /** By those settings; known only if messages are deleted by time alone. */
  static long keptFromMillis(Config config, long nowMillis) {
    String retention = value(config, TopicConfig.RETENTION_MS_CONFIG);
    boolean isTimeAlone =
        value(config, TopicConfig.CLEANUP_POLICY_CONFIG).equals(TopicConfig.CLEANUP_POLICY_DELETE)
            && value(config, TopicConfig.RETENTION_BYTES_CONFIG).equals(UNLIMITED)
            && !retention.isEmpty()
            && !retention.equals(UNLIMITED);
    return isTimeAlone ? nowMillis - Long.parseLong(retention) : FirstMessages.NEVER;
  }

  private static String value(Config config, String name) {
    ConfigEntry entry = config.get(name);
    return entry == null || entry.value() == null ? "" : entry.value();
  }
}
