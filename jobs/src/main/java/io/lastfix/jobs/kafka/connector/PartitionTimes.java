package io.lastfix.jobs.kafka.connector;

import io.lastfix.analytics.time.LocatedWatermarks;
import io.lastfix.analytics.time.PartitionTime;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
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
final class PartitionTimes {
  private final Duration bound;
  private final Clock clock;
  private final Map<TopicPartition, LocatedWatermarks> partitions = new HashMap<>();

  /**
   * @param bound how much earlier than the newest one the next record may be, 0 or more
   */
  PartitionTimes(Duration bound, Clock clock) {
    this.bound = bound;
    this.clock = clock;
  }

  /** Adds partitions that are about to be read. */
  void add(List<KafkaPartitionSplit> splits) {
    for (KafkaPartitionSplit split : splits) {
      partitions.put(
          split.getTopicPartition(),
          new LocatedWatermarks(bound, clock, LocatedSplit.timeOf(split)));
    }
  }

  /** Whether the reader has no partition. */
  boolean isEmpty() {
    return partitions.isEmpty();
  }

  /** Whether no partition holds another one back. */
  boolean areIdle() {
    return partitions.values().stream().allMatch(LocatedWatermarks::isIdle);
  }

  /**
   * Takes in a record.
   *
   * @param arrivalMillis when it came to the location topic; may be {@link Arrival#UNKNOWN}
   */
  void onRecord(TopicPartition partition, long timestampMillis, long arrivalMillis) {
    LocatedWatermarks watermarks = partitions.get(partition);
    if (watermarks != null) {
      watermarks.onRecord(timestampMillis, arrivalMillis);
    }
  }

  /** Takes in the ends that a fetch has found, after its records. */
  void onFetched(PartitionEnds ends) {
    ends.isAtEnd()
        .forEach(
            (partition, isAtEnd) -> {
              LocatedWatermarks watermarks = partitions.get(partition);
              if (watermarks != null) {
                watermarks.onFetched(isAtEnd, ends.fetchedMillis());
              }
            });
  }

  /**
   * Emits each partition's watermark. Those with a slow clock are ignored if another one of the
   * reader decides. If none does, another reader may, and this one does not know: so it becomes
   * idle for a moment. Then those that are ahead are not held back, since Flink waits for a channel
   * that becomes active only when it has come as far as the others; and if there are none, the
   * watermarks of this reader are the job's.
   */
  void emit(ReaderOutput<LocatedRecord> output) {
    partitions.values().forEach(LocatedWatermarks::updateIdleness);
    boolean haveSlowClocks = partitions.values().stream().anyMatch(LocatedWatermarks::hasSlowClock);
    boolean doOthersDecide =
        partitions.values().stream().anyMatch(each -> !each.isIdle() && !each.hasSlowClock());
    if (haveSlowClocks && !doOthersDecide) {
      partitions.forEach(
          (partition, watermarks) -> watermarks.mark(output(output, partition), true));
      output.markIdle();
      output.markActive();
    }
    partitions.forEach(
        (partition, watermarks) ->
            watermarks.mark(
                output(output, partition), watermarks.hasSlowClock() && doOthersDecide));
    partitions.forEach((partition, watermarks) -> watermarks.emit(output(output, partition)));
  }

  private static SourceOutput<LocatedRecord> output(
      ReaderOutput<LocatedRecord> output, TopicPartition partition) {
    return output.createOutputForSplit(KafkaPartitionSplit.toSplitId(partition));
  }

  /** Returns the event time of a partition, for a checkpoint. */
  PartitionTime of(TopicPartition partition) {
    LocatedWatermarks watermarks = partitions.get(partition);
    return watermarks == null ? PartitionTime.NONE : watermarks.time();
  }
}
