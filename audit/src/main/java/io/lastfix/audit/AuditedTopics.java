package io.lastfix.audit;

import java.util.List;
import java.util.Properties;
import java.util.function.Supplier;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.Admin;

/**
 * The topics of a job, and the clients that read them.
 *
 * @param clientProperties for a new client; may hold secrets
 * @param admin connects a client that the caller closes
 * @param groupId the consumer group of the location records
 * @param locationTopicPrefix the topic's name before the profile's name
 * @param profiles the names of the profiles whose topics the job reads
 * @param cells the catalogue
 * @param rejected the rejected messages
 */
public record AuditedTopics(
    Supplier<Properties> clientProperties,
    Supplier<Admin> admin,
    String groupId,
    String locationTopicPrefix,
    List<String> profiles,
    String cells,
    String rejected) {
  /** Returns the addresses of Kafka. */
  public String bootstrapServers() {
    return String.valueOf(clientProperties.get().get(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG));
  }

  /** Returns the topic of a profile. */
  public String location(String profile) {
    return locationTopicPrefix + profile;
  }

  /** Returns whether it is a location topic that the audit does not read. */
  boolean isOfAnotherProfile(String topic) {
    return topic.startsWith(locationTopicPrefix)
        && !locations().contains(topic)
        && !topic.equals(cells)
        && !topic.equals(rejected);
  }

  /** Returns the topics of all profiles. */
  public List<String> locations() {
    return profiles.stream().map(this::location).toList();
  }
}
