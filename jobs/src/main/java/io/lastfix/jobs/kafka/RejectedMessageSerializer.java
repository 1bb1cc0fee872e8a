package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Writes a rejected message: key and value are the source message's bytes, unchanged (an absent
 * value stays absent), and the headers say why and whence, as text: {@code reason} (a stable code),
 * {@code detail}, {@code topic}, {@code partition}, {@code offset}, {@code stage}, and {@code
 * records}, how many records of the message this one stands for (nearly always 1).
 *
 * <p>A value that the topic cannot take is left out, and the header {@code omitted} tells its
 * bytes. That needs a message that Kafka had stored compressed, of more than the topic takes
 * uncompressed (64 MiB where the job made it); sent as it is, it would stop the job for ever. It
 * can still be read where it came from, by its topic, partition and offset.
 *
 * <p>After a crash a message may be written again. (topic, partition, offset, detail) tell one
 * rejection from another.
 */
public final class RejectedMessageSerializer
    implements KafkaRecordSerializationSchema<RejectedMessage> {
  private final String topic;
  private final int maxBytes;

  /**
   * For messages to that topic.
   *
   * @param maxBytes what key and value may have together
   */
  public RejectedMessageSerializer(String topic, int maxBytes) {
    this.topic = topic;
    this.maxBytes = maxBytes;
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedMessage rejected, KafkaSinkContext context, Long timestampMillis) {
    RawMessage source = rejected.message();
    long bytes = (long) length(source.key()) + length(source.value());
    boolean fits = bytes <= maxBytes;
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, fits ? source.key() : null, fits ? source.value() : null);
    header(record, "reason", rejected.rejection().reason().code());
    header(record, "detail", rejected.rejection().detail());
    header(record, "topic", source.topic());
    header(record, "partition", Integer.toString(source.partition()));
    header(record, "offset", Long.toString(source.offset()));
    header(record, "stage", rejected.stage());
    header(record, "records", Integer.toString(rejected.rejection().records()));
    if (!fits) {
      header(record, "omitted", Long.toString(bytes));
    }
    return record;
  }

  private static int length(byte @Nullable [] bytes) {
    return bytes == null ? 0 : bytes.length;
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
