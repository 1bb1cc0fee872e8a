package io.lastfix.jobs.kafka.connector;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.jobs.kafka.messages.LocatedTopicDeserializer;
import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.located.LocatedRecordCodec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplitState;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.util.clock.ManualClock;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class LocatedEmitterTest {
  private static final long NOW = Instant.parse("2026-11-26T12:00:00Z").toEpochMilli();
  private static final long MINUTE = 60_000;
  private static final TopicPartition PARTITION = new TopicPartition("lastfix.located", 0);

  private final ManualClock clock = new ManualClock(NOW * 1_000_000);
  private final PartitionTimes times = new PartitionTimes(Duration.ofSeconds(10), clock);
  private final KafkaPartitionSplitState split =
      new KafkaPartitionSplitState(new KafkaPartitionSplit(PARTITION, 0));
  private final EmittedRecords<LocatedRecord> output =
      new EmittedRecords<>() {
        @Override
        public void collect(LocatedRecord record) {
          throw new UnsupportedOperationException("located records have timestamps");
        }
      };

  /** Otherwise event time would be the clock's, also in a checkpoint, and after a restart. */
  @Test
  void aRecordOfAFarFutureIsSkippedAndSaysNothingAboutEventTime() {
    times.add(List.of(split.toKafkaPartitionSplit()));
    LocatedEmitter emitter = emitter();

    emit(emitter, 0, record(NOW - 3 * 60 * MINUTE));
    emit(emitter, 1, record(Instant.parse("2100-01-01T00:00:00Z").toEpochMilli()));
    emit(emitter, 2, record(Long.MAX_VALUE));
    emit(emitter, 3, record(NOW + 5 * MINUTE + 1));

    assertThat(output.records()).containsExactly(record(NOW - 3 * 60 * MINUTE));
    assertThat(split.getCurrentOffset()).isEqualTo(4);
    assertThat(reached()).isEqualTo(NOW - 3 * 60 * MINUTE);
  }

  @Test
  void aRecordThatTheLocationJobAcceptsIsNot() {
    times.add(List.of(split.toKafkaPartitionSplit()));

    emit(emitter(), 0, record(NOW + 5 * MINUTE));

    assertThat(output.records()).hasSize(1);
    assertThat(reached()).isEqualTo(NOW + 5 * MINUTE);
  }

  private long reached() {
    return times.of(PARTITION).reachedMillis();
  }

  private LocatedEmitter emitter() {
    LocatedTopicDeserializer deserializer = new LocatedTopicDeserializer();
    deserializer.register(new UnregisteredMetricsGroup());
    return new LocatedEmitter(deserializer, times, 5 * MINUTE, clock);
  }

  private void emit(LocatedEmitter emitter, long offset, LocatedRecord record) {
    emitter.emitRecord(
        new ConsumerRecord<>(
            PARTITION.topic(),
            PARTITION.partition(),
            offset,
            LocatedRecordCodec.key(record),
            LocatedRecordCodec.write(record)),
        output,
        split);
  }

  private static LocatedRecord record(long timestampMillis) {
    return new LocatedRecord(
        "user", new CellId(310, 260, 7, 1), timestampMillis, new Position(-122.4, 37.7));
  }
}
