package io.lastfix.jobs.kafka.connector;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * Makes the Kafka source's reader commit a checkpoint's offsets at once.
 *
 * <p>The reader leaves the commit to its fetcher, the thread that polls Kafka. The fetcher looks
 * for such work when messages have arrived, or after ten seconds (connector 3.4.0: {@code
 * SplitFetcher.enqueueTask} does not wake it up, and {@code KafkaPartitionSplitReader} polls for
 * that long). Until then, a topic that is read and stored to its end seems to have a lag. The
 * location records of a new job, and a drain, would wait for that reason alone.
 *
 * <p>Resuming splits wakes the fetcher up. It has no other effect, because no split is paused: the
 * job has no watermarks to align. It is done once for each checkpoint with new offsets, and only if
 * there is nothing to read, because a busy fetcher finds the work itself.
 *
 * <p>Flink calls it on the task's thread, as every reader.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class QuietTopicCommitReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {
  private static final long NONE = Long.MAX_VALUE;

  private final Set<String> splits = new HashSet<>();
  private boolean isIdle;

  /** Whether there are offsets that the last checkpoint does not hold. */
  private boolean hasNewOffsets;

  /** The first checkpoint with offsets that may not be committed yet. */
  private long checkpointToCommit = NONE;

  QuietTopicCommitReader(SourceReader<T, S> reader) {
    super(reader);
  }

  @Override
  public InputStatus pollNext(ReaderOutput<T> output) throws Exception {
    InputStatus status = super.pollNext(output);
    isIdle = status == InputStatus.NOTHING_AVAILABLE;
    // A message is always returned with "more available".
    hasNewOffsets |= !isIdle;
    return status;
  }

  @Override
  public List<S> snapshotState(long checkpointId) {
    if (hasNewOffsets) {
      checkpointToCommit = Math.min(checkpointToCommit, checkpointId);
      hasNewOffsets = false;
    }
    return super.snapshotState(checkpointId);
  }

  @Override
  public void notifyCheckpointComplete(long checkpointId) throws Exception {
    super.notifyCheckpointComplete(checkpointId);
    if (isIdle && checkpointId >= checkpointToCommit) {
      checkpointToCommit = NONE;
      pauseOrResumeSplits(List.of(), splits);
    }
  }

  @Override
  public void addSplits(List<S> added) {
    added.forEach(split -> splits.add(split.splitId()));
    // The offsets of a savepoint: this submission's group has committed none yet.
    hasNewOffsets = true;
    super.addSplits(added);
  }
}
