package io.lastfix.jobs.kafka;

import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.api.connector.source.SourceSplit;
import org.apache.flink.core.io.InputStatus;

/**
 * Has the Kafka source's reader commit a checkpoint's offsets at once.
 *
 * <p>The reader leaves them to its fetcher, the thread that asks Kafka for messages, and that looks
 * for such work when messages have come, or after ten seconds (connector 3.4.0: {@code
 * SplitFetcher.enqueueTask} does not wake it up, and {@code KafkaPartitionSplitReader} polls for so
 * long). Until then a topic that is read and stored to its end seems to lag: the location records
 * of a new job were held back, and a drain waited, for that alone.
 *
 * <p>To resume splits does wake the fetcher up. None of them is paused, for the job has no
 * watermarks to align, so nothing else comes of it. It is done once for each checkpoint with new
 * offsets, and only while there is nothing to read: a fetcher at work looks up by itself.
 *
 * <p>Called on the task's thread, as every reader.
 */
// Closing it may be interrupted, as the interface has it.
@SuppressWarnings("try")
final class QuietTopicCommitReader<T, S extends SourceSplit> extends ForwardingReader<T, S> {
  private static final long NONE = Long.MAX_VALUE;

  private final Set<String> splits = new HashSet<>();
  private boolean isIdle;

  /** Whether there are some that the last checkpoint does not hold. */
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
    // A message is always given out with "more available".
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
    // Those of a savepoint: this start's group has none yet.
    hasNewOffsets = true;
    super.addSplits(added);
  }
}
