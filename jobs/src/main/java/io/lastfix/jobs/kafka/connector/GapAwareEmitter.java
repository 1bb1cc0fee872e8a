package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.config.OnGap;
import java.util.function.Consumer;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.runtime.execution.SuppressRestartsException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Emits records as another emitter does, but handles an {@link OffsetGapRecord}. It logs and counts
 * the gap, and the split continues behind it, also in the next checkpoint and the group's offsets.
 * With {@link OnGap#FAIL} it ends the job instead, without a restart, because every restart would
 * meet the same gap.
 *
 * <p>Metrics, in the source's group, counted since the task started:
 *
 * <ul>
 *   <li>{@code sourceGaps}: gaps
 *   <li>{@code sourceRecordsLost}: offsets that Kafka had deleted before they were read
 * </ul>
 *
 * <p>Flink calls it on the task's thread.
 */
final class GapAwareEmitter<T>
    implements RecordEmitter<ConsumerRecord<byte[], byte[]>, T, KafkaPartitionSplitState> {
  private static final Logger LOG = LoggerFactory.getLogger(GapAwareEmitter.class);

  private final RecordEmitter<ConsumerRecord<byte[], byte[]>, T, KafkaPartitionSplitState> emitter;
  private final OnGap onGap;
  private final Consumer<OffsetGap> listener;
  private final String job;
  private final Counter gaps;
  private final Counter recordsLost;

  /**
   * @param emitter for every record that is not an {@link OffsetGapRecord}
   * @param listener takes in each gap behind which the split continues
   * @param job what {@code lastfix submit} calls it
   */
  GapAwareEmitter(
      RecordEmitter<ConsumerRecord<byte[], byte[]>, T, KafkaPartitionSplitState> emitter,
      OnGap onGap,
      Consumer<OffsetGap> listener,
      String job,
      MetricGroup metrics) {
    this.emitter = emitter;
    this.onGap = onGap;
    this.listener = listener;
    this.job = job;
    this.gaps = metrics.counter("sourceGaps");
    this.recordsLost = metrics.counter("sourceRecordsLost");
  }

  @Override
  public void emitRecord(
      ConsumerRecord<byte[], byte[]> record, SourceOutput<T> output, KafkaPartitionSplitState split)
      throws Exception {
    if (!(record instanceof OffsetGapRecord found)) {
      emitter.emitRecord(record, output, split);
      return;
    }
    OffsetGap gap = found.gap();
    gaps.inc();
    recordsLost.inc(gap.recordsLost());
    if (onGap == OnGap.FAIL) {
      throw new SuppressRestartsException(
          new IllegalStateException(
              gap.describe()
                  + ". "
                  + OnGap.ENDED
                  + ". To continue after the gap: lastfix submit %s --resume --set source.on-gap=continue"
                      .formatted(job)));
    }
    LOG.error("{}", gap.describe());
    listener.accept(gap);
    split.setCurrentOffset(gap.resumeAt());
  }
}
