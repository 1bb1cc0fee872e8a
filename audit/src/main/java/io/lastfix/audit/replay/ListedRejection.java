package io.lastfix.audit.replay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.lastfix.audit.Discrepancy;
import io.lastfix.audit.RejectedHeaders;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/**
 * A rejection, as it is listed for the user.
 *
 * @param at when it was rejected, by Kafka's timestamp
 * @param topic of the rejected message, with its partition and offset
 * @param reason its code, for instance {@code bad-value}
 * @param detail the record in the message, and the error; may be empty
 * @param records how many records the rejection stands for
 * @param keptAt topic, partition and offset of the rejected topic that hold the bytes
 */
public record ListedRejection(
    @JsonIgnore Instant at,
    String topic,
    int partition,
    long offset,
    String reason,
    String detail,
    int records,
    String keptAt) {

  static ListedRejection of(ConsumerRecord<?, ?> rejected, RejectedHeaders headers) {
    return new ListedRejection(
        Instant.ofEpochMilli(rejected.timestamp()),
        headers.topic(),
        headers.partition(),
        headers.offset(),
        headers.reason(),
        headers.detail(),
        headers.records(),
        Discrepancy.place(rejected));
  }

  /** The time of the rejection, as ISO-8601. */
  @JsonProperty("rejectedAt")
  public String rejectedAt() {
    return at.toString();
  }

  /** One line for the user. */
  String toLine() {
    StringBuilder line =
        new StringBuilder(
            "%s  %s, partition %d, offset %d  %s".formatted(at, topic, partition, offset, reason));
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
