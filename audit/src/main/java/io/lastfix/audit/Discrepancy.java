package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * One thing that is not as it must be.
 *
 * @param kind what is wrong
 * @param user whose; null for a message
 * @param ts when, by the record's clock; null for a message
 * @param cell the cell; null for a message
 * @param where the collection, or else the topic, partition and offset
 * @param detail what was expected and what was found; empty where the kind says it all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Discrepancy(
    Kind kind,
    @Nullable String user,
    @Nullable Instant ts,
    @Nullable String cell,
    String where,
    String detail) {

  /** What may be wrong. */
  public enum Kind {
    /** A record of a message that is committed is not in History. */
    MISSING("missing from History"),
    /** History holds what no message says. */
    EXTRA("in History, though no message says so"),
    /** History holds the record with other fields or coordinates than it must have. */
    DIFFERENT("different in History"),
    /** A message, or a record in it, that cannot be read was not rejected either. */
    NEITHER("neither stored nor rejected"),
    /** A record further ahead of the clock than allowed was not rejected. */
    AHEAD("too far ahead of the clock, and not rejected"),
    /** A message of the catalogue's topic is no entry and was not rejected either. */
    ENTRY("of the catalogue's messages neither entries nor rejected"),
    /** A user has a located record and no Last Known Location. */
    LAST_MISSING("missing from Last Known Location"),
    /** A user has a Last Known Location that no message says. */
    LAST_EXTRA("in Last Known Location, though no message says so"),
    /** Last Known Location is not the newest, or not at the place it must have. */
    LAST_DIFFERENT("different in Last Known Location");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** Where a message stands. */
  static String place(ConsumerRecord<?, ?> message) {
    return "%s, partition %d, offset %d"
        .formatted(message.topic(), message.partition(), message.offset());
  }

  /** One line for a person. */
  String toLine() {
    StringBuilder line = new StringBuilder(where);
    if (user != null) {
      line.append("  user ").append(user);
    }
    if (ts != null) {
      line.append("  ").append(ts);
    }
    if (cell != null) {
      line.append("  cell ").append(cell);
    }
    return detail.isEmpty() ? line.toString() : line.append("  ").append(detail).toString();
  }
}
