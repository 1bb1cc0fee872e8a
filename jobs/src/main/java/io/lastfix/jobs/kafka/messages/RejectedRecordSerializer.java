package io.lastfix.jobs.kafka.messages;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.SenderHeaders;
import io.lastfix.parse.MessageHeaders;
import io.lastfix.parse.RawMessage;
import io.lastfix.parse.RejectedMessage;
import java.util.List;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.util.function.SerializableSupplier;
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
 * Writes a rejected message. Key and value are the source message's bytes, unchanged; an absent
 * value stays absent. The headers name the reason and the origin as text: {@code reason} (a stable
 * code), {@code detail}, {@code topic}, {@code partition}, {@code offset}, {@code stage}, and
 * {@code records}, the number of the message's records that this one stands for (nearly always 1).
 * {@link RawMessageDeserializer#FIRST_SEEN_HEADER} is the arrival by which a location message was
 * checked, for a replay. The {@link SenderHeaders} of a gateway are kept, so that the sender of a
 * replay is known, too. If they are too long, only those that name the sender are, and {@link
 * SenderHeaders#OMITTED} holds the number of bytes.
 *
 * <p>Bytes that the topic does not accept, or more than {@link RejectedMessage#MAX_BYTES}, are
 * omitted, and the header {@code omitted} holds their number. Sending them would block the job
 * permanently. They can still be read from their origin, by topic, partition and offset. The
 * topic's limit is read at each start. If it is lowered while the job runs, a message that is now
 * too large fails the job once.
 *
 * <p>After a crash, a message may be written again. The key (topic, partition, offset, detail)
 * identifies a rejection.
 */
public final class RejectedRecordSerializer
    implements KafkaRecordSerializationSchema<RejectedMessage> {
  private static final Logger LOG = LoggerFactory.getLogger(RejectedRecordSerializer.class);

  /** The topic's limit counts compressed bytes, and incompressible data grows slightly. */
  private static final int LEAST_GROWTH_BYTES = 128;

  private static final int GROWTH_PART = 2_048;

  /**
   * A gateway takes heads up to 16 KiB. Longer headers come from another producer, and the topic
   * has room for 64 KiB of headers.
   */
  private static final int MAX_SENDER_BYTES = 32 * 1024;

  /** What {@code parse.check-users} looks at. */
  private static final List<String> CHECKED_HEADERS =
      List.of(SenderHeaders.AUTH, SenderHeaders.DEVICE, SenderHeaders.SPEAKS_FOR);

  private final String topic;
  private final int submittedBytes;
  private final SerializableSupplier<Integer> limit;
  private int maxBytes;

  /**
   * Serializes messages for a topic whose limit may be lowered.
   *
   * @param maxBytes the largest message, including its headers, that the topic accepts
   * @param limit the topic's present limit, read at each start; throws an {@link
   *     IllegalStateException} if Kafka does not report it. A value above {@code maxBytes} has no
   *     effect, because the producer does not send larger messages
   */
  public RejectedRecordSerializer(String topic, int maxBytes, SerializableSupplier<Integer> limit) {
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
      bytes = limit.get();
    } catch (IllegalStateException e) {
      LOG.warn(
          "The maximum message size of topic {} is unknown, so the {} bytes of the submission apply:"
              + " {}",
          topic,
          submittedBytes,
          e.getMessage());
      return;
    }
    if (bytes < submittedBytes) {
      LOG.warn(
          "Topic {} now accepts messages of up to {} bytes, and accepted {} at the submission."
              + " For a larger rejected message the job writes only the headers; the bytes remain in"
              + " the source topic. Raise its max.message.bytes or segment.bytes",
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
    addSender(source.headers(), headers);
    return headers;
  }

  /**
   * Without its sender, a message would pass {@code parse.check-users} in a replay. So what that
   * looks at is kept even if the rest is too long, and the mark lets a replay read the message at
   * its origin.
   */
  private static void addSender(MessageHeaders sender, Headers headers) {
    int bytes = senderBytes(sender);
    if (bytes <= MAX_SENDER_BYTES) {
      sender.forEach(headers::add);
      return;
    }
    header(headers, SenderHeaders.OMITTED, Integer.toString(bytes));
    int kept = 0;
    for (String name : CHECKED_HEADERS) {
      byte @Nullable [] value = sender.last(name);
      if (value != null && kept + name.length() + value.length <= MAX_SENDER_BYTES) {
        kept += name.length() + value.length;
        headers.add(name, value);
      }
    }
  }

  private static int senderBytes(MessageHeaders headers) {
    int[] bytes = new int[1];
    headers.forEach((name, value) -> bytes[0] += name.length() + value.length);
    return bytes[0];
  }

  /** The upper bound of the compressed size of a batch with only this message. */
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
