package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import io.lastfix.kit.kafka.ConsumerLag;
import io.lastfix.kit.kafka.ConsumerLag.Range;
import io.lastfix.kit.kafka.KafkaAnswer;
import io.lastfix.kit.kafka.KafkaFailure;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds location topics with records that no job has read and that no running job reads. A gateway
 * acknowledges what it writes there, and devices then delete it.
 *
 * <p>Unlike {@link RemovedProfiles}, it also finds topics that no job has ever read.
 */
public record UnreadTopics(Admin admin, KafkaOptions kafka) {
  private static final String UNREAD = "which location topics are unread";
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);

  /** The name prefix of the jobs' consumer groups, unless a user has chosen another one. */
  private static final String GROUP_PREFIX = "lastfix";

  /**
   * The topics with unread records, and an upper bound of their number, because transaction markers
   * have offsets too. A topic that the user may not describe is left out.
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
}
