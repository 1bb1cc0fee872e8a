package io.lastfix.jobs.kafka.located;

import io.lastfix.jobs.kafka.messages.LocatedTopicDeserializer;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Emits located records, as Flink's own emitter does, and lets their partitions' times know of
 * them.
 *
 * <p>Flink calls it on the task's thread.
 */
public final class LocatedEmitter
    implements RecordEmitter<
        ConsumerRecord<byte[], byte[]>, LocatedRecord, KafkaPartitionSplitState> {
  private final LocatedTopicDeserializer deserializer;
  private final PartitionTimes times;

  /**
   * @param times of the reader's partitions
   */
  public LocatedEmitter(LocatedTopicDeserializer deserializer, PartitionTimes times) {
    this.deserializer = deserializer;
    this.times = times;
  }

  @Override
  public void emitRecord(
      ConsumerRecord<byte[], byte[]> consumed,
      SourceOutput<LocatedRecord> output,
      KafkaPartitionSplitState split) {
    LocatedRecord record = deserializer.read(consumed);
    if (record != null) {
      Header arrived = consumed.headers().lastHeader(Arrival.HEADER);
      times.onRecord(
          split.getTopicPartition(),
          record.timestampMillis(),
          arrived == null ? Arrival.UNKNOWN : Arrival.read(arrived.value()));
      output.collect(record, record.timestampMillis());
    }
    split.setCurrentOffset(consumed.offset() + 1);
  }
}
