package io.lastfix.jobs.kafka.topics;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicAuthorizationException;

/**
 * Finds topics that the job has read before and that have no profile now, by the committed offsets
 * of its consumer group. Offsets give only an upper bound of the unread records, because
 * transaction markers have offsets too. {@link UnreadRecords} finds out whether there is any.
 */
public record RemovedProfiles(Admin admin, KafkaOptions kafka) {
  private static final Duration READ_LIMIT = Duration.ofSeconds(30);

  /**
   * Fails if a topic has unread records that the user does not explicitly abandon.
   *
   * @param profiles the profiles of the job
   * @param abandoned topics whose unread records may be left behind
   * @throws IllegalStateException naming each other topic with unread records, and the remedy
   */
  public void requireRead(List<String> profiles, Collection<String> abandoned) {
    Set<String> allowed = new HashSet<>(kafka.locationTopics(profiles));
    allowed.addAll(abandoned);
    Unread unread = unread(allowed);
    if (!unread.recordsByTopic().isEmpty()) {
      throw new IllegalStateException(unread.refusal());
    }
  }

  /**
   * Topics with records that no profile reads.
   *
   * @param recordsByTopic an upper bound of their number
   * @param forbiddenTopics the topics among them that the user may not read
   */
  record Unread(SortedMap<String, Long> recordsByTopic, Set<String> forbiddenTopics) {
    String refusal() {
      String topics =
          recordsByTopic.entrySet().stream()
              .map(topic -> describe(topic.getKey(), topic.getValue()))
              .collect(Collectors.joining(" "));
      return topics
          + (forbiddenTopics.isEmpty()
              ? " Add the profile again,"
              : " Grant the user of kafka.properties Read on "
                  + String.join(", ", forbiddenTopics)
                  + " so that the job can check it, add the profile again,")
          + " or leave the records unread with source.abandon-topics: "
          + String.join(",", recordsByTopic.keySet());
    }

    private String describe(String topic, long records) {
      return forbiddenTopics.contains(topic)
          ? "Topic %s may have up to %d unread records, which the job's user may not read, and no profile of profiles.names reads it."
              .formatted(topic, records)
          : "Topic %s has up to %d unread records, and no profile of profiles.names reads it."
              .formatted(topic, records);
    }
  }

  private Unread unread(Set<String> allowed) {
    ConsumerLag lag = new ConsumerLag(admin);
    Set<String> checked = new TreeSet<>();
    try {
      Map<TopicPartition, Long> committed = lag.committed(kafka.groupId());
      committed
          .keySet()
          .removeIf(
              partition ->
                  allowed.contains(partition.topic())
                      || !partition.topic().startsWith(kafka.locationTopicPrefix()));
      if (committed.isEmpty()) {
        return new Unread(new TreeMap<>(), Set.of());
      }
      committed.keySet().forEach(partition -> checked.add(partition.topic()));
      Map<TopicPartition, Range> ranges = ConsumerLag.uncommitted(lag.ranges(checked), committed);
      ranges.keySet().retainAll(committed.keySet());
      ranges.values().removeIf(range -> range.offsets() == 0);
      UnreadRecords.Found found = new UnreadRecords(kafka, READ_LIMIT).find(ranges);
      ranges.keySet().retainAll(found.partitions());
      return new Unread(ConsumerLag.offsetsByTopic(ranges), found.forbiddenTopics());
    } catch (IOException e) {
      if (e.getCause() instanceof TopicAuthorizationException refusal) {
        throw new IllegalStateException(
            "Kafka could not return the unread offsets of group %s: %s; or leave their records unread with source.abandon-topics: %s"
                .formatted(
                    kafka.groupId(), KafkaFailure.explain(refusal), String.join(",", checked)),
            refusal);
      }
      throw KafkaFailure.ofQuery(
          "the unread offsets of group " + kafka.groupId(), kafka.bootstrapServers(), e);
    } catch (KafkaException e) {
      throw new IllegalStateException(
          "Kafka could not return the unread records of group %s: %s"
              .formatted(kafka.groupId(), KafkaFailure.explain(e)),
          e);
    }
  }
}
