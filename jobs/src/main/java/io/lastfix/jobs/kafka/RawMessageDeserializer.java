package io.lastfix.jobs.kafka;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.lastfix.parse.RawMessage;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.record.TimestampType;
import org.jspecify.annotations.Nullable;

/**
 * Takes a Kafka record as it is: its place and its bytes, or, where {@link LargeBytesInterceptor}
 * left them out, how many they were; and when it came, if the topic keeps that. Reading the bytes
 * is the parser's work, where it can be counted.
 */
public final class RawMessageDeserializer implements KafkaRecordDeserializationSchema<RawMessage> {
  /**
   * Header of a rejected message and of its replay: the arrival that the message was judged by
   * first, in milliseconds since 1970. The job judges by it what is too far ahead, so a message
   * that was rejected for that is rejected again.
   */
  public static final String FIRST_SEEN_HEADER = "lastfix-first-seen";

  /** Enough for each number of milliseconds, and few enough for a long. */
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
            firstSeenMillis(consumed)));
  }

  /**
   * What that header says; {@link RawMessage#UNKNOWN_TIME} without it. Anyone may write a header:
   * one that is no time is as good as none.
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
}
