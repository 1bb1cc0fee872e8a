package io.lastfix.jobs.kafka;

import io.lastfix.jobs.kafka.DatedSplitSerializer.DatedSplit;
import io.lastfix.locate.RemovalRetention;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Gauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads a partition of the catalogue from its beginning if its restored position is so old that
 * Kafka may have deleted a removal behind it ({@link RemovalRetention}).
 *
 * <p>The join then drops the cells that it restores. If they are too young for that, reading anew
 * has one effect only: a cell returns if its removal stood in another partition and is no longer in
 * the topic or the join.
 *
 * <p>Both happen before the first barrier, so a checkpoint holds either both or neither. After the
 * next restore, the reader continues at its position.
 *
 * <p>The metric {@link #METRIC} counts the partitions that this reader has read anew.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class CatalogRereadReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  /** The name of the metric. */
  static final String METRIC = "catalogPartitionsReadAnew";

  private static final Logger LOG = LoggerFactory.getLogger(CatalogRereadReader.class);

  private final RemovalRetention removals;
  private final InstantSource clock;

  // The task's thread writes it; the metric reporters' threads read it.
  private final AtomicInteger reread = new AtomicInteger();

  CatalogRereadReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      SourceReaderContext context,
      RemovalRetention removals,
      InstantSource clock) {
    super(reader);
    this.removals = removals;
    this.clock = clock;
    context.metricGroup().gauge(METRIC, (Gauge<Integer>) reread::get);
  }

  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    List<KafkaPartitionSplit> splits = new ArrayList<>(added.size());
    for (KafkaPartitionSplit split : added) {
      splits.add(
          split instanceof DatedSplit dated && isTooOld(dated) ? atItsBeginning(dated) : split);
    }
    super.addSplits(splits);
  }

  /** A split whose first entry has not been read has no numeric offset. */
  private boolean isTooOld(DatedSplit split) {
    return split.getStartingOffset() >= 0
        && removals.mustReread(split.writtenAt(), clock.instant());
  }

  private KafkaPartitionSplit atItsBeginning(DatedSplit split) {
    reread.incrementAndGet();
    Instant writtenAt = split.writtenAt();
    LOG.warn(
        "The restored position {} of {} was written at {}, and the topic keeps removals for {}:"
            + " Kafka may have deleted one that the job has not read. The job reads the partition"
            + " from its beginning. Location records wait until that is done",
        split.getStartingOffset(),
        split.getTopicPartition(),
        writtenAt,
        removals.kept());
    return new KafkaPartitionSplit(
        split.getTopicPartition(),
        KafkaPartitionSplit.EARLIEST_OFFSET,
        split.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET));
  }
}
