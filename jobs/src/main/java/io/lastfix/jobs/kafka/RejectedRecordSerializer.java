package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.io.Serializable;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.AbstractRecords;
import org.apache.kafka.common.record.CompressionType;
import org.apache.kafka.common.record.RecordBatch;
import org.jspecify.annotations.Nullable;
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
public final class RejectedRecordSerializer
    implements KafkaRecordSerializationSchema<RejectedMessage> {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedRecordSerializer.class);

  /** The topic counts compressed bytes, and what does not compress grows a little. */
  private static final int LEAST_GROWTH_BYTES = 128;

  private static final int GROWTH_PART = 2_048;

  /** Says what the topic takes now. */
  interface Limit extends Serializable {
    /**
     * What a message may have, with its headers.
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
   * @param maxBytes what the topic takes, as a message with its headers
   */
  public RejectedRecordSerializer(String topic, int maxBytes) {
    this(topic, maxBytes, () -> maxBytes);
  }

  /**
   * The same, for a topic whose limit may be lowered.
   *
   * @param limit asked at each start; a greater one than {@code maxBytes}, which the producer does
   *     not send, has no effect
   */
  RejectedRecordSerializer(String topic, int maxBytes, Limit limit) {
    this.topic = topic;
    this.submittedBytes = maxBytes;
    this.limit = limit;
    this.maxBytes = maxBytes;
  }

  @Override
  public void open(
      SerializationSchema.InitializationContext context, KafkaSinkContext sinkContext) {
    int bytes;
    try {
      bytes = limit.bytes();
    } catch (IllegalStateException e) {
      LOG.warn(
          "How large a message topic {} takes is not known, so the {} bytes of the submission hold:"
              + " {}",
          topic,
          submittedBytes,
          e.getMessage());
      return;
    }
    if (bytes < submittedBytes) {
      LOG.warn(
          "Topic {} takes messages of {} bytes now, and took {} at the submission. Of a larger"
              + " rejected message it gets the headers only; the bytes stay where they came from."
              + " Raise its max.message.bytes or segment.bytes",
          topic,
          bytes,
          submittedBytes);
    }
    maxBytes = Math.min(submittedBytes, bytes);
  }

  @Override
  public ProducerRecord<byte[], byte[]> serialize(
      RejectedMessage rejected, KafkaSinkContext context, Long timestampMillis) {
    RawMessage source = rejected.message();
    Headers headers = headers(rejected);
    byte[] key = source.key();
    byte[] value = source.value();
    long omitted = source.omittedBytes();
    if (source.bytes() > RejectedMessage.MAX_BYTES || bytes(key, value, headers) > maxBytes) {
      omitted = source.bytes();
      key = null;
      value = null;
    }
    if (omitted > 0) {
      header(headers, "omitted", Long.toString(omitted));
    }
    return new ProducerRecord<>(topic, null, key, value, headers);
  }

  private static Headers headers(RejectedMessage rejected) {
    RawMessage source = rejected.message();
    Headers headers = new RecordHeaders();
    header(headers, "reason", rejected.rejection().reason().code());
    header(headers, "detail", rejected.rejection().detail());
    header(headers, "topic", source.topic());
    header(headers, "partition", Integer.toString(source.partition()));
    header(headers, "offset", Long.toString(source.offset()));
    header(headers, "stage", rejected.stage());
    header(headers, "records", Integer.toString(rejected.rejection().records()));
    if (source.firstSeenMillis() != RawMessage.UNKNOWN_TIME) {
      header(
          headers,
          RawMessageDeserializer.FIRST_SEEN_HEADER,
          Long.toString(source.firstSeenMillis()));
    }
    return headers;
  }

  /** What a batch of this message alone may have, at most, once it is compressed. */
  private static long bytes(byte @Nullable [] key, byte @Nullable [] value, Headers headers) {
    long bytes =
        AbstractRecords.estimateSizeInBytesUpperBound(
            RecordBatch.CURRENT_MAGIC_VALUE, CompressionType.NONE, key, value, headers.toArray());
    return bytes + LEAST_GROWTH_BYTES + bytes / GROWTH_PART;
  }

  private static void header(Headers headers, String name, String value) {
    headers.add(name, value.getBytes(UTF_8));
  }
}
