package io.lastfix.jobs.kafka.topics;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaAnswer;
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
 * Finds location topics with records that no job has read and that no running job reads. A gateway
 * acknowledges what it writes there, and devices then delete it.
 *
 * <p>{@link #requireRead} looks only at topics that the job has read before and that have no
 * profile now, by the committed offsets of its consumer group. Offsets give an upper bound of the
 * unread records, because transaction markers have offsets too. {@link UnreadRecords} finds out
 * whether there is any.
 */
public record UnreadTopics(Admin admin, KafkaOptions kafka) {
  private static final String UNREAD = "which location topics are unread";
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);
  private static final Duration SUBMISSION_READ_LIMIT = Duration.ofSeconds(30);

  /** The name prefix of the jobs' consumer groups, unless a user has chosen another one. */
  private static final String GROUP_PREFIX = "lastfix";

  /**
   * The topics with unread records, and an upper bound of their number. A topic that the user may
   * not describe is left out.
   *
   * @param known topics that are read, or whose records may be left unread
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public SortedMap<String, Long> find(Collection<String> known) {
    try {
      Map<TopicPartition, Range> ranges = ranges(known);
      ranges.keySet().retainAll(new UnreadRecords(kafka, READ_LIMIT).find(ranges).partitions());
      return ConsumerLag.offsetsByTopic(ranges);
    } catch (IOException e) {
      throw KafkaFailure.ofQuery(UNREAD, kafka.bootstrapServers(), e);
    } catch (KafkaException e) {
      throw new IllegalStateException(
          "Kafka could not return %s: %s".formatted(UNREAD, KafkaFailure.explain(e)), e);
    }
  }

  /**
   * The location topics that the group has read before, and that still exist.
   *
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public Set<String> readByGroup() {
    try {
      Set<String> topics = new TreeSet<>();
      new ConsumerLag(admin)
          .committed(kafka.groupId())
          .keySet()
          .forEach(partition -> topics.add(partition.topic()));
      topics.removeIf(topic -> !topic.startsWith(kafka.locationTopicPrefix()));
      if (!topics.isEmpty()) {
        topics.retainAll(KafkaAnswer.await(admin.listTopics().names()));
      }
      return topics;
    } catch (IOException e) {
      throw KafkaFailure.ofQuery(
          "what group %s has read".formatted(kafka.groupId()), kafka.bootstrapServers(), e);
    }
  }

  private Map<TopicPartition, Range> ranges(Collection<String> known) throws IOException {
    ConsumerLag lag = new ConsumerLag(admin);
    Map<TopicPartition, Range> ranges =
        lag.ranges(
            topic ->
                topic.startsWith(kafka.locationTopicPrefix())
                    && !topic.equals(kafka.cellsTopic())
                    && !topic.equals(kafka.rejectedTopic())
                    && !known.contains(topic));
    ranges.values().removeIf(range -> range.offsets() == 0);
    if (ranges.isEmpty()) {
      return ranges;
    }
    Map<TopicPartition, Range> unread =
        ConsumerLag.uncommitted(ranges, lag.highestCommitted(this::isOfJob));
    unread.values().removeIf(range -> range.offsets() == 0);
    return unread;
  }

  private boolean isOfJob(String group) {
    return (group.equals(kafka.groupId()) || group.startsWith(GROUP_PREFIX))
        && !CatalogGroup.isOfOneStart(group);
  }

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
      UnreadRecords.Found found = new UnreadRecords(kafka, SUBMISSION_READ_LIMIT).find(ranges);
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
