package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * Writes a rejected message: key and value are the source message's bytes, unchanged (an absent
 * value stays absent), and the headers say why and whence, as text: {@code reason} (a stable code),
 * {@code detail}, {@code topic}, {@code partition}, {@code offset}, {@code stage}, and {@code
 * records}, how many records of the message this one stands for (nearly always 1).
 *
 * <p>After a crash a message may be written again. (topic, partition, offset, detail) tell one
 * rejection from another.
 */
public final class RejectedMessageSerializer
    implements KafkaRecordSerializationSchema<RejectedMessage> {
  private final String topic;

  /** For messages to that topic. */
  public RejectedMessageSerializer(String topic) {
    this.topic = topic;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedMessage rejected, KafkaSinkContext context, Long timestampMillis) {
    RawMessage source = rejected.message();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, source.key(), source.value());
    header(record, "reason", rejected.rejection().reason().code());
    header(record, "detail", rejected.rejection().detail());
    header(record, "topic", source.topic());
    header(record, "partition", Integer.toString(source.partition()));
    header(record, "offset", Long.toString(source.offset()));
    header(record, "stage", rejected.stage());
    header(record, "records", Integer.toString(rejected.rejection().records()));
    return record;
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
