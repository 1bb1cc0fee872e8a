package io.lastfix.kit.kafka;

import static io.lastfix.kit.kafka.KafkaAnswer.await;

import java.io.IOException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ConsumerGroupListing;
import org.apache.kafka.clients.admin.ListOffsetsResult.ListOffsetsResultInfo;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;

/**
 * The number of messages that a consumer group has not committed yet. A Flink job commits at a
 * checkpoint, so committed messages are stored. At a lag of zero, all are stored, except records
 * that wait for their cell.
 *
 * @param admin a client that the caller closes
 */
public record ConsumerLag(Admin admin) {
  /** First and last offsets of the partitions of those topics; missing topics are left out. */
  public Map<TopicPartition, Range> ranges(Collection<String> topics) throws IOException {
    return ranges(topics::contains);
  }

  /**
   * First and last offsets of the partitions of the topics with a matching name. A topic that the
   * user may not describe is left out.
   */
  public Map<TopicPartition, Range> ranges(Predicate<String> topic) throws IOException {
    Set<String> existing = new HashSet<>(await(admin.listTopics().names()));
    existing.removeIf(topic.negate());
    Set<TopicPartition> partitions = new HashSet<>();
    for (TopicDescription described :
        await(admin.describeTopics(existing).allTopicNames()).values()) {
      described
          .partitions()
          .forEach(p -> partitions.add(new TopicPartition(described.name(), p.partition())));
    }
    return rangesOf(partitions);
  }

  /** First and last offsets of those partitions, which must exist. */
  public Map<TopicPartition, Range> rangesOf(Collection<TopicPartition> partitions)
      throws IOException {
    var begins = await(offsets(partitions, OffsetSpec.earliest()));
    Map<TopicPartition, Range> ranges = new HashMap<>();
    await(offsets(partitions, OffsetSpec.latest()))
        .forEach(
            (partition, end) ->
                ranges.put(partition, new Range(begins.get(partition).offset(), end.offset())));
    return ranges;
  }

  private KafkaFuture<Map<TopicPartition, ListOffsetsResultInfo>> offsets(
      Collection<TopicPartition> partitions, OffsetSpec which) {
    return admin
        .listOffsets(partitions.stream().collect(Collectors.toMap(it -> it, it -> which)))
        .all();
  }

  /**
   * The offsets that a partition holds.
   *
   * @param begin the first
   * @param end one past the last
   */
  public record Range(long begin, long end) {
    /** Returns how many offsets it has; transaction markers have offsets, too. */
    public long offsets() {
      return Math.max(0, end - begin);
    }
  }

  /**
   * What is left of ranges after the committed offsets; a partition without a commit is left whole.
   */
  public static Map<TopicPartition, Range> uncommitted(
      Map<TopicPartition, Range> ranges, Map<TopicPartition, Long> committed) {
    Map<TopicPartition, Range> left = new HashMap<>();
    ranges.forEach(
        (partition, range) ->
            left.put(
                partition,
                new Range(
                    Math.max(committed.getOrDefault(partition, 0L), range.begin()), range.end())));
    return left;
  }

  /**
   * The lag by topic, relative to the given ends. A group that never committed has the whole topic
   * as its lag.
   */
  public Map<String, Long> byTopic(String groupId, Map<TopicPartition, Range> ranges)
      throws IOException {
    return offsetsByTopic(uncommitted(ranges, committed(groupId)));
  }

  /** The number of offsets by topic. */
  public static SortedMap<String, Long> offsetsByTopic(Map<TopicPartition, Range> ranges) {
    SortedMap<String, Long> offsets = new TreeMap<>();
    ranges.forEach(
        (partition, range) -> offsets.merge(partition.topic(), range.offsets(), Long::sum));
    return offsets;
  }

  /**
   * The lag by topic of each group with a matching name, over the topics that it has committed for,
   * as in {@link #byTopic}.
   */
  public Map<String, Map<String, Long>> byGroupAndTopic(Predicate<String> name) throws IOException {
    Map<String, Map<String, Long>> lag = new TreeMap<>();
    for (String groupId : groups(name)) {
      Set<String> topics =
          committed(groupId).keySet().stream()
              .map(TopicPartition::topic)
              .collect(Collectors.toSet());
      lag.put(groupId, byTopic(groupId, ranges(topics)));
    }
    return lag;
  }

  private List<String> groups(Predicate<String> name) throws IOException {
    return await(admin.listConsumerGroups().all()).stream()
        .map(ConsumerGroupListing::groupId)
        .filter(name)
        .toList();
  }

  /**
   * The committed offset of each partition of a group; partitions without a commit are left out.
   */
  public Map<TopicPartition, Long> committed(String groupId) throws IOException {
    Map<TopicPartition, Long> offsets = new HashMap<>();
    await(admin.listConsumerGroupOffsets(groupId).partitionsToOffsetAndMetadata())
        .forEach(
            (partition, offset) -> {
              if (offset != null) {
                offsets.put(partition, offset.offset());
              }
            });
    return offsets;
  }

  /** The highest committed offset of each partition, over all groups with a matching name. */
  public Map<TopicPartition, Long> highestCommitted(Predicate<String> name) throws IOException {
    Map<TopicPartition, Long> highest = new HashMap<>();
    for (String groupId : groups(name)) {
      committed(groupId)
          .forEach((partition, offset) -> highest.merge(partition, offset, Math::max));
    }
    return highest;
  }
}
