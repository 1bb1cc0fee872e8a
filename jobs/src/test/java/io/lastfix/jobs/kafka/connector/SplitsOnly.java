package io.lastfix.jobs.kafka.connector;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;

/** A source reader that keeps its splits, and has no messages. */
public class SplitsOnly implements SourceReader<String, KafkaPartitionSplit> {
  public final List<KafkaPartitionSplit> splits = new ArrayList<>();
  final List<String> resumed = new ArrayList<>();
  int additions;

  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    additions++;
    splits.addAll(added);
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    return List.copyOf(splits);
  }

  @Override
  public void pauseOrResumeSplits(Collection<String> toPause, Collection<String> toResume) {
    resumed.addAll(toResume);
  }

  @Override
  public InputStatus pollNext(ReaderOutput<String> output) {
    return InputStatus.NOTHING_AVAILABLE;
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    return CompletableFuture.completedFuture(null);
  }

  @Override
  public void start() {}

  @Override
  public void notifyNoMoreSplits() {}

  @Override
  public void close() {}
}
