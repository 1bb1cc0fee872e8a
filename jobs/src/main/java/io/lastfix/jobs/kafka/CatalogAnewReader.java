package io.lastfix.jobs.kafka;

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
 * Kafka may delete a removal behind it ({@link RemovalRetention}). The join then forgets the cells
 * that it restores, or they are too young for that and what is read changes nothing but this: a
 * cell comes back whose removal stood in another partition and is forgotten by topic and join.
 *
 * <p>Both are done before the first barrier, so each checkpoint holds either both or none: after
 * the next restore the reading continues where it was.
 *
 * <p>A position of a former release has no date. It is taken for a young one: such a release was
 * made when the topic kept removals for a day by default and an operator had to see to it himself,
 * and what the topic lacks would lose its position for good.
 *
 * <p>Its metric {@link #METRIC} counts the partitions that this reader has begun anew.
 */
// Closing it may be interrupted, as the interface has it.
@SuppressWarnings("try")
final class CatalogAnewReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  /** The name of the metric. */
  static final String METRIC = "catalogPartitionsReadAnew";

  private static final Logger LOG = LoggerFactory.getLogger(CatalogAnewReader.class);

  private final RemovalRetention removals;
  private final InstantSource clock;

  // Written by the task's thread, read by the reporters'.
  private final AtomicInteger begunAnew = new AtomicInteger();

  CatalogAnewReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      SourceReaderContext context,
      RemovalRetention removals,
      InstantSource clock) {
    super(reader);
    this.removals = removals;
    this.clock = clock;
    context.metricGroup().gauge(METRIC, (Gauge<Integer>) begunAnew::get);
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

  /** One whose first entry has not been read has no offset that is a number. */
  private boolean isTooOld(DatedSplit split) {
    return split.getStartingOffset() >= 0
        && removals.isReadAnew(split.writtenAt(), clock.instant());
  }

  private KafkaPartitionSplit atItsBeginning(DatedSplit split) {
    begunAnew.incrementAndGet();
    Instant writtenAt = split.writtenAt();
    LOG.warn(
        "The restored position {} of {} is of {}, and the topic keeps removals for {}: Kafka may"
            + " delete one that was not read. The partition is read from its beginning. Location"
            + " records wait until that is done",
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
