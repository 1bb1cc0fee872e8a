package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Place;
import io.lastfix.model.Position;
import io.lastfix.model.located.Arrival;
import io.lastfix.model.located.CellRange;
import io.lastfix.model.located.LocatedRecordCodec;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

class LocatedTopicSerializerTest {
  private static final long ARRIVED = 1_262_304_123_456L;
  private static final LocatedRecord RECORD =
      new LocatedRecord(
          "350000000007919",
          CellId.parse("311-480-9728-9903886"),
          1_262_304_000_000L,
          new Position(-122.39, 37.78));

  @Test
  void theKeyIsTheUserAndTheValueIsTheRecord() throws Exception {
    ProducerRecord<byte[], byte[]> message = serialize();

    assertThat(message.topic()).isEqualTo("lastfix.located");
    assertThat(message.key()).isEqualTo("350000000007919".getBytes(UTF_8));
    assertThat(LocatedRecordCodec.read(message.key(), message.value())).isEqualTo(RECORD);
  }

  /** Of the message that the record was read from: by it, a slow clock is known. */
  @Test
  void aHeaderSaysWhenTheRecordCame() {
    assertThat(serialize().headers().toArray())
        .singleElement()
        .satisfies(
            header -> {
              assertThat(header.key()).isEqualTo("arrived");
              assertThat(Arrival.read(header.value())).isEqualTo(ARRIVED);
            });
  }

  /** The value stays as it was: readers of former releases skip another version. */
  @Test
  void aHeaderHasTheRangeOfTheCell() {
    LocatedRecord ranged =
        new LocatedRecord(
            RECORD.user(),
            new Place.AtCell(CellId.parse("311-480-9728-9903886"), null),
            RECORD.timestampMillis(),
            RECORD.cellPosition(),
            false,
            1_000);

    ProducerRecord<byte[], byte[]> message = serialize(ranged, null);

    assertThat(message.value()).isEqualTo(LocatedRecordCodec.write(RECORD));
    assertThat(message.headers().toArray())
        .singleElement()
        .satisfies(
            header -> {
              assertThat(header.key()).isEqualTo("range");
              assertThat(CellRange.addTo(RECORD, header.value())).isEqualTo(ranged);
            });
  }

  @ParameterizedTest
  @NullSource
  @ValueSource(longs = {-1, Long.MIN_VALUE})
  void withoutATimestampOfItsMessageThereIsNoHeader(@Nullable Long timestampMillis) {
    assertThat(serialize(timestampMillis).headers()).isEmpty();
  }

  /** Kafka deletes by a message's time: it would delete a replay of old records at once. */
  @Test
  void theTimeOfTheMessageIsKafkasAndNotTheRecords() {
    assertThat(serialize().timestamp()).isNull();
  }

  /** So that the partition follows from the key, as consumers expect. */
  @Test
  void theProducerChoosesThePartition() {
    assertThat(serialize().partition()).isNull();
  }

  private static ProducerRecord<byte[], byte[]> serialize() {
    return serialize(ARRIVED);
  }

  private static ProducerRecord<byte[], byte[]> serialize(@Nullable Long timestampMillis) {
    return serialize(RECORD, timestampMillis);
  }

  private static ProducerRecord<byte[], byte[]> serialize(
      LocatedRecord record, @Nullable Long timestampMillis) {
    return new LocatedTopicSerializer("lastfix.located", () -> {})
        .serialize(record, null, timestampMillis);
  }
}
