package io.lastfix.jobs.kafka.connector;

import io.lastfix.jobs.kafka.messages.LocatedTopicDeserializer;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import java.time.Duration;
import java.time.Instant;
import org.apache.flink.api.connector.source.SourceOutput;
import org.apache.flink.connector.base.source.reader.RecordEmitter;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.util.clock.Clock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/**
 * Emits located records, as Flink's own emitter does, and lets their partitions' times know of
 * them.
 *
 * <p>It skips a record whose timestamp the location job would not have accepted, because it is too
 * far ahead. Event time of its partition would be the clock's from then on, also for records that
 * wait there, and the state of its group would never be cleared.
 *
 * <p>Flink calls it on the task's thread.
 *
 * @param times of the reader's partitions
 * @param maxAheadMillis how far ahead of the clock a record may be
 */
record LocatedEmitter(
    LocatedTopicDeserializer deserializer, PartitionTimes times, long maxAheadMillis, Clock clock)
    implements RecordEmitter<
        ConsumerRecord<byte[], byte[]>, LocatedRecord, KafkaPartitionSplitState> {
  @Override
  public void emitRecord(
      ConsumerRecord<byte[], byte[]> consumed,
      SourceOutput<LocatedRecord> output,
      KafkaPartitionSplitState split) {
    LocatedRecord record = deserializer.read(consumed);
    if (record != null && isTooFarAhead(record)) {
      deserializer.skip(
          consumed,
          "its timestamp, %s, is ahead of the clock by more than %s"
              .formatted(
                  Instant.ofEpochMilli(record.timestampMillis()),
                  Duration.ofMillis(maxAheadMillis)));
    } else if (record != null) {
      Header arrived = consumed.headers().lastHeader(Arrival.HEADER);
      times.onRecord(
          split.getTopicPartition(),
          record.timestampMillis(),
          arrived == null ? Arrival.UNKNOWN : Arrival.read(arrived.value()));
      output.collect(record, record.timestampMillis());
    }
    split.setCurrentOffset(consumed.offset() + 1);
  }

  private boolean isTooFarAhead(LocatedRecord record) {
    return record.timestampMillis() - clock.absoluteTimeMillis() > maxAheadMillis;
  }
}
