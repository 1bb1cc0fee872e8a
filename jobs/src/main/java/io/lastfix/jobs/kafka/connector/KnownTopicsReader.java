package io.lastfix.jobs.kafka.connector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Leaves out the splits of topics that no longer have a profile. A savepoint holds the splits of
 * the job that wrote it, and Flink's reader would read all of them, whatever topics the source is
 * configured with.
 *
 * <p>Such a split is not read, and stays in every checkpoint as it was restored. If the profile is
 * added again, the job continues at its position. A warning names the topic and the number of
 * unread records.
 *
 * <p>Metric, in the source's group: {@code partitionsWithoutProfile}, the splits left out.
 *
 * <p>Flink calls it on the task's thread, as every reader. The number of unread records is queried
 * asynchronously.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class KnownTopicsReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  private static final Logger LOG = LoggerFactory.getLogger(KnownTopicsReader.class);

  private final Set<String> topics;
  private final EndOffsets ends;
  private final List<KafkaPartitionSplit> leftAlone = new ArrayList<>();

  /**
   * @param topics that have a profile
   */
  KnownTopicsReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      Collection<String> topics,
      EndOffsets ends,
      MetricGroup metrics) {
    super(reader);
    this.topics = Set.copyOf(topics);
    this.ends = ends;
    metrics.gauge("partitionsWithoutProfile", leftAlone::size);
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    Map<Boolean, List<KafkaPartitionSplit>> byKnown =
        added.stream()
            .collect(Collectors.partitioningBy(split -> topics.contains(split.getTopic())));
    List<KafkaPartitionSplit> unknown = byKnown.getOrDefault(false, List.of());
    if (!unknown.isEmpty()) {
      leftAlone.addAll(unknown);
      warn(unknown);
    }
    List<KafkaPartitionSplit> known = byKnown.getOrDefault(true, List.of());
    if (!known.isEmpty()) {
      super.addSplits(known);
    }
  }

  private void warn(List<KafkaPartitionSplit> splits) {
    Map<TopicPartition, Long> positions =
        splits.stream()
            .collect(
                Collectors.toMap(
                    KafkaPartitionSplit::getTopicPartition,
                    // A negative offset stands for the first or the committed offset.
                    split -> Math.max(0, split.getStartingOffset())));
    var unused =
        ends.of(positions.keySet())
            .handle(
                (found, failure) -> {
                  Map<String, List<TopicPartition>> byTopic =
                      positions.keySet().stream()
                          .collect(
                              Collectors.groupingBy(
                                  TopicPartition::topic, TreeMap::new, Collectors.toList()));
                  byTopic.forEach(
                      (topic, partitions) ->
                          LOG.warn(
                              "No profile reads topic {} any more. The job leaves its"
                                  + " partitions {} with {} unread records, including transaction"
                                  + " markers. To read them, add the profile to profiles.names and"
                                  + " submit the job with --resume",
                              topic,
                              partitions.stream().map(TopicPartition::partition).sorted().toList(),
                              failure == null
                                  ? "up to " + unread(partitions, positions::get, found::get)
                                  : "an unknown number of",
                              failure));
                  return positions;
                });
  }

  private static long unread(
      List<TopicPartition> partitions,
      Function<TopicPartition, Long> position,
      Function<TopicPartition, Long> end) {
    return partitions.stream()
        .mapToLong(partition -> Math.max(0, end.apply(partition) - position.apply(partition)))
        .sum();
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = new ArrayList<>(super.snapshotState(checkpointId));
    splits.addAll(leftAlone);
    return splits;
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
    super.pauseOrResumeSplits(read(toPause), read(toResume));
  }

  private List<String> read(Collection<String> ids) {
    return ids.stream()
        .filter(id -> leftAlone.stream().noneMatch(split -> split.splitId().equals(id)))
        .toList();
  }

  @Override
  public void close() throws Exception {
    try (ends) {
      super.close();
    }
  }
}
