package io.lastfix.audit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.SenderHeaders;
import java.io.IOException;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
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
    ConsumedHeaders headers = new ConsumedHeaders(message.headers());
    try {
      return new RejectedHeaders(
          text(headers, "topic"),
          Integer.parseInt(text(headers, "partition")),
          Long.parseLong(text(headers, "offset")),
          text(headers, "reason"),
          text(headers, "detail"),
          headers.last("records") == null ? 1 : Integer.parseInt(text(headers, "records")),
          headers.last("omitted") != null || headers.last(SenderHeaders.OMITTED) != null,
          firstSeenMillis(headers, message.timestamp()));
    } catch (IllegalArgumentException e) {
      throw new IOException(
          "%s is no message of the location job: %s. Another program may write there"
              .formatted(Discrepancy.place(message), e.getMessage()),
          e);
    }
  }

  /** A message of the catalogue has no such header, only the time of the rejection. */
  private static long firstSeenMillis(ConsumedHeaders headers, long rejectedMillis) {
    byte @Nullable [] value = headers.last(FIRST_SEEN);
    String digits = value == null ? "" : new String(value, UTF_8);
    return MILLIS.matcher(digits).matches() ? Long.parseLong(digits) : rejectedMillis;
  }

  private static String text(ConsumedHeaders headers, String name) {
    byte @Nullable [] value = headers.last(name);
    if (value == null) {
      throw new IllegalArgumentException("expected the header " + name);
    }
    return new String(value, UTF_8);
  }
}
