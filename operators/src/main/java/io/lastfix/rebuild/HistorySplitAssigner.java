package io.lastfix.rebuild;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import org.apache.flink.connector.mongodb.source.enumerator.MongoSourceEnumState;
import org.apache.flink.connector.mongodb.source.enumerator.assigner.MongoSplitAssigner;
import org.apache.flink.connector.mongodb.source.split.MongoScanSourceSplit;
import org.apache.flink.connector.mongodb.source.split.MongoSourceSplit;

/** Assigns the splits of all periods in order, and again those of a failed reader. */
final class HistorySplitAssigner implements MongoSplitAssigner {
  private final Deque<MongoScanSourceSplit> remaining;

  HistorySplitAssigner(List<MongoScanSourceSplit> splits) {
    this.remaining = new ArrayDeque<>(splits);
  }

  @Override
  public void open() {
    // Needs no query.
  }

  @Override
  public Optional<MongoSourceSplit> getNext() {
    return Optional.ofNullable(remaining.poll());
  }

  @Override
  public void addSplitsBack(Collection<MongoSourceSplit> splits) {
    splits.forEach(split -> remaining.add((MongoScanSourceSplit) split));
  }

  @Override
  public boolean noMoreSplits() {
    return remaining.isEmpty();
  }

  @Override
  public MongoSourceEnumState snapshotState(long checkpointId) {
    return new MongoSourceEnumState(
        new ArrayList<>(), new ArrayList<>(), new ArrayList<>(remaining), new HashMap<>(), true);
  }

  @Override
  public void close() {
    // Has nothing to close.
  }
}
