package io.lastfix.jobs.kafka.catalog;

import io.lastfix.jobs.kafka.connector.ForwardingReader;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;

/**
 * Makes the catalogue's reader report its positions to its enumerator: the restored ones at the
 * start, and the read ones at each checkpoint. Once that checkpoint is complete, it reports that
 * the entries before them are in the join's state. The barrier followed these entries, so the join
 * had them when it took its part of the checkpoint.
 *
 * <p>Flink calls it on the task's thread, as every reader.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class CatalogProgressReader<T> extends ForwardingReader<T, KafkaPartitionSplit> {
  private final SourceReaderContext context;
  private final NavigableMap<Long, Map<Integer, Long>> offsetsByCheckpoint = new TreeMap<>();
  private Map<Integer, Long> offsetsInState = Map.of();

  CatalogProgressReader(SourceReader<T, KafkaPartitionSplit> reader, SourceReaderContext context) {
    super(reader);
    this.context = context;
  }

  /** Flink adds restored splits first; only those have a numeric offset. */
  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    super.addSplits(added);
    tell(offsets(added));
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
