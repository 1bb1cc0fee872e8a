package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes a rejected message: key and value are the source message's bytes, unchanged (an absent
 * value stays absent), and the headers say why and whence, as text: {@code reason} (a stable code),
 * {@code detail}, {@code topic}, {@code partition}, {@code offset}, {@code stage}, and {@code
 * records}, how many records of the message this one stands for (nearly always 1). {@link
 * RawMessageDeserializer#FIRST_SEEN_HEADER} is the arrival that a location message was judged by,
 * for a replay.
 *
 * <p>Bytes that the topic cannot take, or of more than {@link RejectedMessage#MAX_BYTES}, are left
 * out, and the header {@code omitted} tells how many; sent as they are, they would stop the job for
 * ever. They can still be read where they came from, by topic, partition and offset. What the topic
 * takes is asked at each start: if somebody lowers it while the job runs, a message that is now too
 * large fails the job once.
 *
 * <p>After a crash a message may be written again. (topic, partition, offset, detail) tell one
 * rejection from another.
 */
public final class RejectedMessageSerializer
    implements KafkaRecordSerializationSchema<RejectedMessage> {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedMessageSerializer.class);

  /** Says what the topic takes now. */
  interface Limit extends Serializable {
    /**
     * What key and value may have together.
     *
     * @throws IllegalStateException if Kafka does not say it
     */
    int bytes();
  }

  private final String topic;
  private final int submittedBytes;
  private final Limit limit;
  private int maxBytes;

  /**
   * For messages to that topic.
   *
   * @param maxBytes what key and value may have together
   */
  public RejectedMessageSerializer(String topic, int maxBytes) {
    this(topic, maxBytes, () -> maxBytes);
  }

  /**
   * The same, for a topic whose limit may be lowered.
   *
   * @param limit asked at each start; a greater one than {@code maxBytes}, which the producer does
   *     not send, has no effect
   */
  RejectedMessageSerializer(String topic, int maxBytes, Limit limit) {
    this.topic = topic;
    this.submittedBytes = maxBytes;
    this.limit = limit;
    this.maxBytes = maxBytes;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    try {
      maxBytes = Math.min(submittedBytes, limit.bytes());
    } catch (IllegalStateException e) {
      LOG.warn(
          "What topic {} takes is not known, so what it took at the submission holds, {} bytes: {}",
          topic,
          submittedBytes,
          e.getMessage());
    }
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedMessage rejected, KafkaSinkContext context, Long timestampMillis) {
    RawMessage source = rejected.message();
    boolean fits = source.bytes() <= maxBytes;
    long omitted = fits ? source.omittedBytes() : source.bytes();
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(topic, fits ? source.key() : null, fits ? source.value() : null);
    header(record, "reason", rejected.rejection().reason().code());
    header(record, "detail", rejected.rejection().detail());
    header(record, "topic", source.topic());
    header(record, "partition", Integer.toString(source.partition()));
    header(record, "offset", Long.toString(source.offset()));
    header(record, "stage", rejected.stage());
    header(record, "records", Integer.toString(rejected.rejection().records()));
    if (source.firstSeenMillis() != RawMessage.UNKNOWN_TIME) {
      header(
          record,
          RawMessageDeserializer.FIRST_SEEN_HEADER,
          Long.toString(source.firstSeenMillis()));
    }
    if (omitted > 0) {
      header(record, "omitted", Long.toString(omitted));
    }
    return record;
  }

  private static void header(ProducerRecord<byte[], byte[]> record, String name, String value) {
    record.headers().add(name, value.getBytes(UTF_8));
  }
}
