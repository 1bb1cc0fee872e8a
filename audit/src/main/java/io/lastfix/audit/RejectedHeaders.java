package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.SenderHeaders;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.jspecify.annotations.Nullable;

/**
 * The headers of a message of {@code lastfix.rejected}.
 *
 * @param topic of the rejected message, with its partition and offset
 * @param records how many records the rejection stands for
 * @param isOmitted whether its bytes, or its sender headers, were too many, and are only in their
 *     own topic
 * @param firstSeenMillis the arrival by which the message was checked
 */
public record RejectedHeaders(
    String topic,
    int partition,
    long offset,
    String reason,
    String detail,
    int records,
    boolean isOmitted,
    long firstSeenMillis) {

  /** The header with the arrival by which the job first checked the message. */
  public static final String FIRST_SEEN = "lastfix-first-seen";

  private static final Pattern MILLIS = Pattern.compile("[0-9]{1,18}");

  /**
   * Reads the headers.
   *
   * @throws IOException naming the message, if the job did not write it
   */
  public static RejectedHeaders of(ConsumerRecord<?, ?> message) throws IOException {
    try {
      return new RejectedHeaders(
          text(message, "topic"),
          Integer.parseInt(text(message, "partition")),
          Long.parseLong(text(message, "offset")),
          text(message, "reason"),
          text(message, "detail"),
          // Releases without this header wrote one message for each record.
          message.headers().lastHeader("records") == null
              ? 1
              : Integer.parseInt(text(message, "records")),
          message.headers().lastHeader("omitted") != null
              || message.headers().lastHeader(SenderHeaders.OMITTED) != null,
          firstSeenMillis(message));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s, partition %d, offset %d is no message of the location job: %s. Another program may write there"
              .formatted(message.topic(), message.partition(), message.offset(), e.getMessage()),
          e);
    }
  }

  /** Releases without this header recorded only the time of the rejection, as Kafka's timestamp. */
  private static long firstSeenMillis(ConsumerRecord<?, ?> message) {
    @Nullable Header header = message.headers().lastHeader(FIRST_SEEN);
    if (header == null || header.value() == null) {
      return message.timestamp();
    }
    String digits = new String(header.value(), UTF_8);
    return MILLIS.matcher(digits).matches() ? Long.parseLong(digits) : message.timestamp();
  }

  private static String text(ConsumerRecord<?, ?> message, String name) {
    @Nullable Header header = message.headers().lastHeader(name);
    if (header == null || header.value() == null) {
      throw new IllegalArgumentException("expected the header " + name);
    }
    return new String(header.value(), UTF_8);
  }
}
