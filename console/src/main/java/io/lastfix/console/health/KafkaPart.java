package io.lastfix.console.health;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.KafkaClients;
import io.lastfix.kit.kafka.TopicReader;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/** What Kafka says: how far behind the jobs are, and the newest rejected messages. */
final class KafkaPart implements AutoCloseable {
  /** Of all jobs of Lastfix. */
  private static final String GROUP_PREFIX = "lastfix";

  /** The groups under which each submission reads the catalogue; nearly all are of ended jobs. */
  private static final Pattern OF_ONE_START = Pattern.compile(".+-cells-[0-9a-f]{8}");

  private final Properties client = new Properties();
  private final String groupId;
  private final RejectedMessages messages;
  private final Duration limit;
  private @Nullable Admin admin;
  private boolean isClosed;

  /**
   * A client.
   *
   * @param limit of each of its calls
   */
  KafkaPart(Map<String, String> client, String groupId, RejectedMessages messages, Duration limit) {
    this.client.putAll(client);
    this.groupId = groupId;
    this.messages = messages;
    this.limit = limit;
  }

  private Properties properties() {
    return KafkaClients.withShortTimeouts(client, limit);
  }

  /**
   * The client of all readings, because each new one connects to the brokers anew. It finds a
   * broker again that was away.
   */
  synchronized Admin admin() throws IOException {
    if (isClosed) {
      throw new IOException("Kafka is not read any more");
    }
    if (admin == null) {
      try {
        admin = Admin.create(properties());
      } catch (KafkaException e) {
        throw new IOException("Kafka: " + e.getMessage(), e);
      }
    }
    return admin;
  }

  @Override
  public synchronized void close() {
    isClosed = true;
    if (admin != null) {
      admin.close(Duration.ZERO);
    }
  }

  private boolean isShown(String group) {
    return group.equals(groupId)
        || (group.startsWith(GROUP_PREFIX) && !OF_ONE_START.matcher(group).matches());
  }

  GroupLag lag() throws IOException {
    return new GroupLag(new ConsumerLag(admin()).byGroupAndTopic(this::isShown));
  }

  ObjectNode rejected() throws IOException {
    return messages.newest(new ConsumerLag(admin()), new TopicReader(this::properties));
  }
}
