package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.connector.DatedSplitSerializer.DatedSplit;
import io.lastfix.jobs.kafka.connector.ForwardingReader;
import io.lastfix.locate.RemovalRetention;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.metrics.Gauge;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the catalogue's reader report its positions to its enumerator: the restored ones at the
 * start, and the read ones at each checkpoint. Once that checkpoint is complete, it reports that
 * the entries before them are in the join's state. The barrier followed these entries, so the join
 * had them when it took its part of the checkpoint.
 *
 * <p>It reads a partition from its beginning if the restored position is so old that Kafka may have
 * deleted a removal behind it ({@link RemovalRetention}). The join then drops the cells that it
 * restores. If they are too young for that, reading anew has one effect only: a cell returns if its
 * removal stood in another partition and is no longer in the topic or the join. Both happen before
 * the first barrier, so a checkpoint holds either both or neither. After the next restore, the
 * reader continues at its position. The metric {@link #METRIC} counts these partitions.
 *
 * <p>Flink calls it on the task's thread, as every reader.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class CatalogProgressReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  /** The name of the metric. */
  static final String METRIC = "catalogPartitionsReadAnew";

  private static final Logger LOG = LoggerFactory.getLogger(CatalogProgressReader.class);

  private final SourceReaderContext context;
  private final RemovalRetention removals;
  private final InstantSource clock;

  // The task's thread writes it; the metric reporters' threads read it.
  private final AtomicInteger reread = new AtomicInteger();

  private final NavigableMap<Long, Map<Integer, Long>> offsetsByCheckpoint = new TreeMap<>();
  private Map<Integer, Long> offsetsInState = Map.of();

  CatalogProgressReader(
      SourceReader<T, KafkaPartitionSplit> reader,
      SourceReaderContext context,
      RemovalRetention removals,
      InstantSource clock) {
    super(reader);
    this.context = context;
    this.removals = removals;
    this.clock = clock;
    context.metricGroup().gauge(METRIC, (Gauge<Integer>) reread::get);
  }

  /** Flink adds restored splits first; only those have a numeric offset. */
  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    // Before they are told, so that a discarded position never is.
    List<KafkaPartitionSplit> splits = added.stream().map(this::atItsBeginningIfTooOld).toList();
    super.addSplits(splits);
    tell(offsets(splits));
  }

  /** A split whose first entry has not been read has no numeric offset. */
  private KafkaPartitionSplit atItsBeginningIfTooOld(KafkaPartitionSplit split) {
    if (!(split instanceof DatedSplit dated)
        || split.getStartingOffset() < 0
        || !removals.mustReread(dated.writtenAt(), clock.instant())) {
      return split;
    }
    reread.incrementAndGet();
    LOG.warn(
        "The restored position {} of {} was written at {}, and the topic keeps removals for {}:"
            + " Kafka may have deleted one that the job has not read. The job reads the partition"
            + " from its beginning. Location records wait until that is done",
        split.getStartingOffset(),
        split.getTopicPartition(),
        dated.writtenAt(),
        removals.kept());
    return new KafkaPartitionSplit(
        split.getTopicPartition(),
        KafkaPartitionSplit.EARLIEST_OFFSET,
        split.getStoppingOffset().orElse(KafkaPartitionSplit.NO_STOPPING_OFFSET));
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    List<KafkaPartitionSplit> splits = super.snapshotState(checkpointId);
    Map<Integer, Long> offsets = offsets(splits);
    offsetsByCheckpoint.put(checkpointId, offsets);
    if (!offsets.equals(offsetsInState)) {
      context.sendSourceEventToCoordinator(new CatalogPositions(offsets, false));
    }
    return splits;
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    Map<Integer, Long> offsets = offsetsByCheckpoint.get(checkpointId);
    offsetsByCheckpoint.headMap(checkpointId, true).clear();
    if (offsets != null && !offsets.equals(offsetsInState)) {
      tell(offsets);
    }
  }

  @Override
  public void notifyCheckpointAborted(long checkpointId) throws Exception {
    super.notifyCheckpointAborted(checkpointId);
    offsetsByCheckpoint.remove(checkpointId);
  }

  private void tell(Map<Integer, Long> offsets) {
    if (!offsets.isEmpty()) {
      offsetsInState = offsets;
      context.sendSourceEventToCoordinator(new CatalogPositions(offsets, true));
    }
  }

  /** The numeric offsets: a split whose first entry has not been read has none. */
  private static Map<Integer, Long> offsets(List<KafkaPartitionSplit> splits) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (KafkaPartitionSplit split : splits) {
      if (split.getStartingOffset() >= 0) {
        offsets.put(split.getPartition(), split.getStartingOffset());
      }
    }
    return offsets;
  }
}
