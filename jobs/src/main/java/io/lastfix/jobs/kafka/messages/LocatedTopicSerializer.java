package io.lastfix.jobs.kafka.messages;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.Arrival;
import io.lastfix.model.located.CellRange;
import io.lastfix.model.located.LocatedRecordCodec;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes a located record: see {@link LocatedRecordCodec} for key and value. The message's
 * timestamp is the time of writing and not the record's: Kafka deletes by it, so it would delete
 * records of a replay at once. When the record came is in the header {@link Arrival#HEADER}, and
 * its cell's range in {@link CellRange#HEADER}.
 *
 * @param preparation makes sure that the topic is there: without it Kafka's client would wait, the
 *     job would restart, and wait again
 */
public record LocatedTopicSerializer(String topic, Preparation preparation)
    implements KafkaRecordSerializationSchema<LocatedRecord> {
  /** What is done before the first record of an attempt. */
  public interface Preparation extends Serializable {
    /** Called once by each subtask. */
    void run();
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    preparation.run();
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      LocatedRecord located, KafkaSinkContext context, @Nullable Long timestampMillis) {
    ProducerRecord<byte[], byte[]> message =
        new ProducerRecord<>(
            topic, LocatedRecordCodec.key(located), LocatedRecordCodec.write(located));
    // Flink passes on the timestamp of the message that was read; Kafka's -1: it had none.
    if (timestampMillis != null && timestampMillis >= 0) {
      message.headers().add(Arrival.HEADER, Arrival.write(timestampMillis));
    }
    if (located.cellRangeMeters() > 0) {
      message.headers().add(CellRange.HEADER, CellRange.write(located.cellRangeMeters()));
    }
    return message;
  }
}
