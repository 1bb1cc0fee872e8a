package io.lastfix.jobs.kafka.located;

import io.lastfix.analytics.time.LocatedWatermarks;
import io.lastfix.analytics.time.PartitionTime;
import io.lastfix.model.LocatedRecord;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.util.clock.Clock;
import org.apache.kafka.common.TopicPartition;

/** The event time of each partition that a reader reads. */
public final class PartitionTimes {
  private final Duration bound;
  private final Clock clock;
  private final Map<TopicPartition, LocatedWatermarks> partitions = new HashMap<>();

  /**
   * @param bound how much earlier than the newest one the next record may be, 0 or more
   */
  public PartitionTimes(Duration bound, Clock clock) {
    this.bound = bound;
    this.clock = clock;
  }

  /** Adds partitions that are about to be read. */
  public void add(List<KafkaPartitionSplit> splits) {
    for (KafkaPartitionSplit split : splits) {
      partitions.put(
          split.getTopicPartition(),
          new LocatedWatermarks(bound, clock, LocatedSplit.timeOf(split)));
    }
  }

  /** Whether the reader has no partition. */
  public boolean isEmpty() {
    return partitions.isEmpty();
  }

  /** Whether no partition holds another one back. */
  public boolean areIdle() {
    return partitions.values().stream().allMatch(LocatedWatermarks::isIdle);
  }

  /** Takes in a record. */
  public void onRecord(TopicPartition partition, LocatedRecord record) {
    LocatedWatermarks watermarks = partitions.get(partition);
    if (watermarks != null) {
      watermarks.onRecord(record.timestampMillis());
    }
  }

  /** Takes in the ends that a fetch has found, after its records. */
  public void onFetched(PartitionEnds ends) {
    ends.isAtEnd()
        .forEach(
            (partition, isAtEnd) -> {
              LocatedWatermarks watermarks = partitions.get(partition);
              if (watermarks != null) {
                watermarks.onFetched(isAtEnd, ends.fetchedMillis());
              }
            });
  }

  /** Emits each partition's watermark. */
  public void emit(ReaderOutput<LocatedRecord> output) {
    partitions.forEach(
        (partition, watermarks) -> watermarks.updateIdleness(output(output, partition)));
    partitions.forEach((partition, watermarks) -> watermarks.emit(output(output, partition)));
  }

  private static SourceOutput<LocatedRecord> output(
      ReaderOutput<LocatedRecord> output, TopicPartition partition) {
    return output.createOutputForSplit(KafkaPartitionSplit.toSplitId(partition));
  }

  /** Adds the event time to the splits of a checkpoint. */
  public List<KafkaPartitionSplit> with(List<KafkaPartitionSplit> splits) {
    return splits.stream().<KafkaPartitionSplit>map(this::with).toList();
  }

  private LocatedSplit with(KafkaPartitionSplit split) {
    LocatedWatermarks watermarks = partitions.get(split.getTopicPartition());
    return new LocatedSplit(split, watermarks == null ? PartitionTime.NONE : watermarks.time());
  }
}
