package io.lastfix.jobs.kafka.connector;

import io.lastfix.model.LocatedRecord;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceReader;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.InputStatus;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.flink.util.clock.Clock;

/**
 * Emits the watermarks of the topic of located records. Flink's own generators see records and the
 * clock only, and take a partition that is not read for a quiet one.
 *
 * <p>Flink polls a reader only if it is available. So this one becomes available five times a
 * second, whether it has records or not. Flink does not poll it while the task is held back: there
 * is no watermark then, either.
 *
 * <p>Flink calls it on the task's thread, as every reader.
 */
// The interface's close() may throw InterruptedException.
@SuppressWarnings("try")
final class LocatedReader extends ForwardingReader<LocatedRecord, KafkaPartitionSplit> {
  private static final long EMIT_MILLIS = 200;

  /** A subtask that has been assigned no partition for so long does not hold the others back. */
  private static final Duration FIRST_SPLIT = Duration.ofSeconds(10);

  private final String topic;
  private final PartitionTimes times;
  private final LostRecords lost;
  private final Clock clock;
  private final long startedMillis;
  private long emittedMillis;
  private boolean isIdle;

  /**
   * @param topic the only one that is read
   * @param times of the partitions, which also learn of each record
   * @param lost records of the partitions, which also learn of each gap
   */
  LocatedReader(
      SourceReader<LocatedRecord, KafkaPartitionSplit> reader,
      String topic,
      PartitionTimes times,
      LostRecords lost,
      Clock clock) {
    super(reader);
    this.topic = topic;
    this.times = times;
    this.lost = lost;
    this.clock = clock;
    startedMillis = clock.relativeTimeMillis();
    emittedMillis = startedMillis;
  }

  @Override
  public InputStatus pollNext(ReaderOutput<LocatedRecord> output) throws Exception {
    InputStatus status = super.pollNext(output);
    long now = clock.relativeTimeMillis();
    if (now - emittedMillis >= EMIT_MILLIS) {
      emittedMillis = now;
      times.emit(output);
      updateIdleness(output);
    }
    return status;
  }

  /**
   * Marks the subtask as idle or active. Flink's combination of the partitions marks it as active
   * only when its watermark rises: until then, an idle one would not hold the other subtasks back.
   */
  private void updateIdleness(ReaderOutput<LocatedRecord> output) {
    boolean wasIdle = isIdle;
    isIdle =
        times.isEmpty()
            ? clock.relativeTimeMillis() - startedMillis >= FIRST_SPLIT.toMillis()
            : times.areIdle();
    if (isIdle) {
      output.markIdle();
    } else if (wasIdle) {
      output.markActive();
    }
  }

  @Override
  public CompletableFuture<Void> isAvailable() {
    CompletableFuture<Void> available = super.isAvailable();
    if (available.isDone()) {
      return available;
    }
    CompletableFuture<Void> emission =
        new CompletableFuture<Void>().completeOnTimeout(null, EMIT_MILLIS, TimeUnit.MILLISECONDS);
    return CompletableFuture.anyOf(available, emission).thenAccept(either -> {});
  }

  /**
   * Flink would continue to read each partition that the savepoint has. Those of another topic are
   * refused here: Flink 1.20 swallows what a source's enumerator throws while it is restored.
   */
  @Override
  public void addSplits(List<KafkaPartitionSplit> added) {
    for (KafkaPartitionSplit split : added) {
      String read = split.getTopic();
      if (!read.equals(topic)) {
        throw new SuppressRestartsException(
            new IllegalStateException(
                "The job cannot continue from this savepoint, because it read the topic %s, and located.topic is %s. Restore located.topic: %s; or submit the job without --resume, so that it begins without its state"
                    .formatted(read, topic, read)));
      }
    }
    times.add(added);
    lost.add(added);
    super.addSplits(added);
  }

  @Override
  public List<KafkaPartitionSplit> snapshotState(long checkpointId) {
    return super.snapshotState(checkpointId).stream()
        .<KafkaPartitionSplit>map(
            split ->
                new LocatedSplit(
                    split, times.of(split.getTopicPartition()), lost.of(split.getTopicPartition())))
        .toList();
  }
}
