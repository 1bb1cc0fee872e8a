package io.lastfix.cli.push;

import io.lastfix.jobs.kafka.NewPartitions;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.errors.TopicExistsException;

/** Creates the topics that are to be written. */
public final class Topics {
  private static final int TIMEOUT_SECONDS = 30;

  private Topics() {}

  /**
   * Creates the topics that do not exist, with the broker's default replication. A topic that
   * exists keeps its partitions.
   *
   * @param clientProperties at least Kafka's bootstrap servers
   * @param partitions of a topic that is created, 1 or more
   * @throws PushException if Kafka does not answer within 30 seconds or refuses
   */
  public static void createMissing(
      Properties clientProperties, Collection<String> topics, int partitions) throws PushException {
    Properties properties = new Properties();
    properties.putAll(clientProperties);
    properties.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, TIMEOUT_SECONDS * 1000);
    properties.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, TIMEOUT_SECONDS * 500);
    String bootstrapServers =
        clientProperties.getProperty(AdminClientConfig.BOOTSTRAP_SERVERS_CONFIG);
    try (Admin admin = Admin.create(properties)) {
      for (String topic : topics) {
        createMissing(admin, bootstrapServers, topic, partitions);
      }
    }
  }

  private static void createMissing(
      Admin admin, String bootstrapServers, String topic, int partitions) throws PushException {
    NewTopic wanted = new NewTopic(topic, Optional.of(partitions), Optional.empty());
    try {
      admin.createTopics(List.of(wanted)).all().get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
      NewPartitions.lead(admin, topic, partitions).get(TIMEOUT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof TopicExistsException)) {
        throw cannotCreate(topic, bootstrapServers, e.getCause() == null ? e : e.getCause());
      }
    } catch (TimeoutException e) {
      throw cannotCreate(topic, bootstrapServers, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw cannotCreate(topic, bootstrapServers, e);
    }
  }

  private static PushException cannotCreate(
      String topic, String bootstrapServers, Throwable cause) {
    return new PushException(
        "Cannot create topic %s on Kafka at %s: %s"
            .formatted(
                topic,
                bootstrapServers,
                cause.getMessage() == null ? "no answer within 30 s" : cause.getMessage()),
        cause);
  }
}
