package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lastfix.model.SenderHeaders;
import io.lastfix.parse.HeaderList;
import io.lastfix.parse.MessageHeaders;
import io.lastfix.parse.RawMessage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a Kafka record as it is: its position, its bytes, the headers of a gateway and, if the
 * topic has them, its timestamp. If {@link LargeBytesInterceptor} dropped the bytes, keeps their
 * number. The parser reads the bytes, because it can count failures.
 */
public final class RawMessageDeserializer implements KafkaRecordDeserializationSchema<RawMessage> {
  /**
   * Header of a rejected message and of its replay: the arrival by which the message was first
   * checked, in epoch milliseconds. The job checks by it whether a record is too far ahead, so a
   * message rejected for that reason is rejected again.
   */
  public static final String FIRST_SEEN_HEADER = "lastfix-first-seen";

  /** Enough for every number of milliseconds, and small enough for a long. */
  private static final int MAX_DIGITS = 18;

  @Override
  public void deserialize(ConsumerRecord<byte[], byte[]> consumed, Collector<RawMessage> out) {
    out.collect(
        new RawMessage(
            consumed.topic(),
            consumed.partition(),
            consumed.offset(),
            consumed.key(),
            consumed.serializedKeySize(),
            consumed.value(),
            consumed.serializedValueSize(),
            consumed.timestampType() == TimestampType.LOG_APPEND_TIME
                ? consumed.timestamp()
                : RawMessage.UNKNOWN_TIME,
            firstSeenMillis(consumed),
            KafkaHeaders.of(consumed.headers())));
  }

  /**
   * The header's value; {@link RawMessage#UNKNOWN_TIME} without it. Anyone may write a header, so
   * an invalid value counts as absent.
   */
  public static long firstSeenMillis(ConsumerRecord<?, ?> consumed) {
    @Nullable Header header = consumed.headers().lastHeader(FIRST_SEEN_HEADER);
    if (header == null || header.value() == null || header.value().length > MAX_DIGITS) {
      return RawMessage.UNKNOWN_TIME;
    }
    String digits = new String(header.value(), US_ASCII);
    return !digits.isEmpty() && digits.chars().allMatch(c -> c >= '0' && c <= '9')
        ? Long.parseLong(digits)
        : RawMessage.UNKNOWN_TIME;
  }

  @Override
  public TypeInformation<RawMessage> getProducedType() {
    return TypeInformation.of(RawMessage.class);
  }

  /**
   * A view of a Kafka message's headers. Nothing is copied, because only rejected messages need
   * more than two or three of them.
   */
  static final class KafkaHeaders implements MessageHeaders {
    private final transient Headers headers;

    private KafkaHeaders(Headers headers) {
      this.headers = headers;
    }

    /** Returns the sender's headers; none if the message came through no gateway. */
    static MessageHeaders of(Headers headers) {
      return headers.lastHeader(SenderHeaders.AUTH) == null
          ? HeaderList.NONE
          : new KafkaHeaders(headers);
    }

    @Override
    public byte @Nullable [] last(String name) {
      @Nullable Header header = headers.lastHeader(name);
      return header == null ? null : header.value();
    }

    /** Java's serialization writes a copy. */
    private Object writeReplace() {
      return HeaderList.of(this);
    }
  }
}
