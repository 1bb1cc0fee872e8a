package io.lastfix.audit;

import java.util.Locale;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A rejection, as it is listed for the user.
 *
 * @param topic of the rejected message, with its partition and offset
 * @param reason its code, for instance {@code bad-value}
 * @param detail the record in the message, and the error; may be empty
 * @param records how many records the rejection stands for
 * @param keptAt topic, partition and offset of the rejected topic that hold the bytes
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

  /** One line for the user. */
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
    // Anyone may have written topic and detail, which are headers: control characters are replaced,
    // so that it stays one line.
    return line.append("  (").append(keptAt).append(')').toString().replaceAll("\\p{Cntrl}", "?");
  }
}
