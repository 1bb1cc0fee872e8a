package io.lastfix.jobs.kafka.connector;

import io.lastfix.model.metrics.JobMetrics;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.MetricGroup;
import org.apache.kafka.common.TopicPartition;

/**
 * How many records of a reader's partitions Kafka had deleted before they were read. The number is
 * part of the checkpoint, because a restart does not make the numbers of the job complete.
 *
 * <p>Metric, in the group {@code located}: {@code recordsLost}, since the start without a
 * savepoint.
 */
final class LostRecords {
  /** Flink reads the metric on another thread. */
  private final Map<TopicPartition, Long> partitions = new ConcurrentHashMap<>();

  /**
   * @param source its group of metrics
   */
  LostRecords(MetricGroup source) {
    MetricGroup located = source.addGroup(JobMetrics.LOCATED);
    located.gauge(JobMetrics.RECORDS_LOST, this::sum);
  }

  private long sum() {
    return partitions.values().stream().mapToLong(Long::longValue).sum();
  }

  /** Adds partitions that are about to be read. */
  void add(List<KafkaPartitionSplit> splits) {
    splits.forEach(
        split -> partitions.put(split.getTopicPartition(), LocatedSplit.recordsLostOf(split)));
  }

  /** Takes in a gap of a partition. */
  void onGap(OffsetGap gap) {
    partitions.merge(gap.partition(), gap.recordsLost(), Long::sum);
  }

  /** Returns the number of a partition, for a checkpoint. */
  long of(TopicPartition partition) {
    return partitions.getOrDefault(partition, 0L);
  }
}
