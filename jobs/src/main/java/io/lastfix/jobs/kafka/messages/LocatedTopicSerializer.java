package io.lastfix.jobs.kafka.messages;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.located.LocatedRecordCodec;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes a located record: see {@link LocatedRecordCodec} for key and value. The message's
 * timestamp is the time of writing and not the record's: Kafka deletes by it, so it would delete
 * records of a replay at once.
 */
public final class LocatedTopicSerializer implements KafkaRecordSerializationSchema<LocatedRecord> {
  private static final long serialVersionUID = 1;

  private final String topic;

  /** Serializes for that topic. */
  public LocatedTopicSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      LocatedRecord located, KafkaSinkContext context, @Nullable Long timestampMillis) {
    return new ProducerRecord<>(
        topic, LocatedRecordCodec.key(located), LocatedRecordCodec.write(located));
  }
}
