package io.lastfix.jobs.kafka;

import io.lastfix.jobs.config.KafkaOptions;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds location topics with records that no job has read and that no running job reads. A gateway
 * acknowledges what it writes there, and devices then delete it.
 *
 * <p>Unlike {@link RemovedProfiles}, it also finds topics that no job has ever read.
 */
public final class UnreadTopics {
  private static final long REQUEST_TIMEOUT_SECONDS = 30;
  private static final Duration READ_LIMIT = Duration.ofSeconds(10);

  /** The name prefix of the jobs' consumer groups, unless a user has chosen another one. */
  private static final String GROUP_PREFIX = "lastfix";

  private final Admin admin;
  private final KafkaOptions kafka;

  /** Uses a client that the caller closes. */
  public UnreadTopics(Admin admin, KafkaOptions kafka) {
    this.admin = admin;
    this.kafka = kafka;
  }

  /**
   * The topics with unread records, and an upper bound of their number, because transaction markers
   * have offsets too. A topic that the user may not describe is left out.
   *
   * @param known topics that are read, or whose records may be left unread
   * @throws IllegalStateException if Kafka does not answer or refuses
   */
  public SortedMap<String, Long> find(Collection<String> known) {
    try {
      Map<TopicPartition, UnreadRecords.Range> ranges = ranges(known);
      SortedMap<String, Long> records = new TreeMap<>();
      for (TopicPartition partition :
          new UnreadRecords(kafka, READ_LIMIT).find(ranges).partitions()) {
        records.merge(partition.topic(), ranges.get(partition).offsets(), Long::sum);
      }
      return records;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while searching for unread topics", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Kafka could not return which location topics are unread: "
              + KafkaAdmin.explain(e.getCause()),
          e.getCause());
    } catch (KafkaException e) {
      throw new IllegalStateException(
          "Kafka could not return which location topics are unread: " + KafkaAdmin.explain(e), e);
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Kafka at %s did not return within %d s which location topics are unread: check that its brokers run"
              .formatted(kafka.bootstrapServers(), REQUEST_TIMEOUT_SECONDS),
          e);
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
      committed(kafka.groupId()).keySet().forEach(partition -> topics.add(partition.topic()));
      topics.removeIf(topic -> !topic.startsWith(kafka.locationTopicPrefix()));
      if (!topics.isEmpty()) {
        topics.retainAll(await(admin.listTopics().names()));
      }
      return topics;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("Interrupted while searching for the group's topics", e);
    } catch (ExecutionException e) {
      throw new IllegalStateException(
          "Kafka could not return what group %s has read: %s"
              .formatted(kafka.groupId(), KafkaAdmin.explain(e.getCause())),
          e.getCause());
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "Kafka at %s did not return within %d s what group %s has read: check that its brokers run"
              .formatted(kafka.bootstrapServers(), REQUEST_TIMEOUT_SECONDS, kafka.groupId()),
          e);
    }
  }

  private Map<TopicPartition, UnreadRecords.Range> ranges(Collection<String> known)
      throws InterruptedException, ExecutionException, TimeoutException {
    Set<String> topics = new HashSet<>(await(admin.listTopics().names()));
    topics.removeIf(
        topic ->
            !topic.startsWith(kafka.locationTopicPrefix())
                || topic.equals(kafka.cellsTopic())
                || topic.equals(kafka.rejectedTopic()));
    topics.removeAll(known);
    Map<TopicPartition, UnreadRecords.Range> ranges = new HashMap<>();
    if (topics.isEmpty()) {
      return ranges;
    }
    Set<TopicPartition> partitions = new HashSet<>();
    for (TopicDescription described :
        await(admin.describeTopics(topics).allTopicNames()).values()) {
      described
          .partitions()
          .forEach(p -> partitions.add(new TopicPartition(described.name(), p.partition())));
    }
    Map<TopicPartition, Long> begins = offsets(partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(partitions, OffsetSpec.latest());
    partitions.removeIf(p -> ends.get(p) <= begins.get(p));
    if (partitions.isEmpty()) {
      return ranges;
    }
    Map<TopicPartition, Long> read = highestCommitted();
    for (TopicPartition partition : partitions) {
      UnreadRecords.Range range =
          new UnreadRecords.Range(
              Math.max(read.getOrDefault(partition, 0L), begins.get(partition)),
              ends.get(partition));
      if (range.offsets() > 0) {
        ranges.put(partition, range);
      }
    }
    return ranges;
  }

  private Map<TopicPartition, Long> highestCommitted()
      throws InterruptedException, ExecutionException, TimeoutException {
    List<String> groups =
        await(admin.listConsumerGroups().all()).stream()
            .map(ConsumerGroupListing::groupId)
            .filter(name -> name.equals(kafka.groupId()) || name.startsWith(GROUP_PREFIX))
            .filter(name -> !CatalogGroup.isOfOneStart(name))
            .toList();
    Map<TopicPartition, Long> highest = new HashMap<>();
    for (String group : groups) {
      committed(group)
          .forEach((partition, offset) -> highest.merge(partition, offset.offset(), Math::max));
    }
    return highest;
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, OffsetAndMetadata> committed =
        new HashMap<>(await(admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata()));
    committed.values().removeIf(offset -> offset == null);
    return committed;
  }

  private Map<TopicPartition, Long> offsets(Set<TopicPartition> partitions, OffsetSpec which)
      throws InterruptedException, ExecutionException, TimeoutException {
    Map<TopicPartition, ListOffsetsResultInfo> answered =
        await(
            admin
                .listOffsets(partitions.stream().collect(Collectors.toMap(p -> p, p -> which)))
                .all());
    Map<TopicPartition, Long> offsets = new HashMap<>();
    answered.forEach((partition, info) -> offsets.put(partition, info.offset()));
    return offsets;
  }

  private static <T> T await(KafkaFuture<T> answer)
      throws InterruptedException, ExecutionException, TimeoutException {
    return answer.get(REQUEST_TIMEOUT_SECONDS, TimeUnit.SECONDS);
  }
}
