package io.lastfix.audit;

import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A rejection, for who looks at it.
 *
 * @param topic where the rejected message came from, with its partition and offset
 * @param reason its code, for instance {@code bad-value}
 * @param detail which record of the message, and what is wrong with it; may be empty
 * @param records how many records the rejection stands for
 * @param keptAt where its bytes are: topic, partition and offset of the rejected topic
 */
public record ListedRejection(
    String topic,
    int partition,
    long offset,
    String reason,
    String detail,
    int records,
    String keptAt) {

  static ListedRejection of(ConsumerRecord<?, ?> rejected, RejectedHeaders headers) {
    return new ListedRejection(
        headers.topic(),
        headers.partition(),
        headers.offset(),
        headers.reason(),
        headers.detail(),
        headers.records(),
        Discrepancy.place(rejected));
  }

  /** One line for a person. */
  String toLine() {
    StringBuilder line =
        new StringBuilder(
            String.format(
                Locale.ROOT, "%s, partition %d, offset %d  %s", topic, partition, offset, reason));
    if (!detail.isEmpty()) {
      line.append("  ").append(detail);
    }
    if (records > 1) {
      line.append("  ").append(records).append(" records");
    }
    // Topic and detail are headers that anybody may have written: one line stays one.
    return line.append("  (").append(keptAt).append(')').toString().replaceAll("\\p{Cntrl}", "?");
  }
}
