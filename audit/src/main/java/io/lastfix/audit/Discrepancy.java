package io.lastfix.audit;

import com.fasterxml.jackson.annotation.JsonInclude;
import io.lastfix.audit.tree.FoundRecord;
import java.time.Instant;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * A difference between the topics and the collections.
 *
 * @param kind the kind of difference
 * @param user the record's user; null for a message
 * @param ts the record's timestamp; null for a message
 * @param cell the cell; null for a message
 * @param where the collection, or else the topic, partition and offset
 * @param detail expected and found values; empty if the kind says it all
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record Discrepancy(
    Kind kind,
    @Nullable String user,
    @Nullable Instant ts,
    @Nullable String cell,
    String where,
    String detail) {

  /** A difference of a message, or of a document that is no record. */
  static Discrepancy at(Kind kind, String where, String detail) {
    return new Discrepancy(kind, null, null, null, where, detail);
  }

  /** A difference of a record. */
  static Discrepancy of(Kind kind, FoundRecord record, String where, String detail) {
    Instant ts = Instant.ofEpochMilli(record.timestampMillis());
    return new Discrepancy(kind, record.user(), ts, record.cell(), where, detail);
  }

  /** The kinds of differences. */
  public enum Kind {
    /** History lacks a record of a committed message. */
    MISSING("missing from History"),
    /** History holds a record that is in no message. */
    EXTRA("in History, but in no message"),
    /** History holds the record with wrong fields or coordinates. */
    DIFFERENT("different in History"),
    /** An unreadable message or record was not rejected either. */
    NEITHER("neither stored nor rejected"),
    /** A record further ahead of the clock than allowed was not rejected. */
    AHEAD("too far ahead of the clock, and not rejected"),
    /** A message of the catalogue's topic is neither an entry nor rejected. */
    ENTRY("catalogue messages with neither an entry nor a rejection"),
    /** A user has a located record and no Last Known Location. */
    LAST_MISSING("missing from Last Known Location"),
    /** A user has a Last Known Location that is in no message. */
    LAST_EXTRA("in Last Known Location, but in no message"),
    /** Last Known Location is not the newest, or has wrong coordinates. */
    LAST_DIFFERENT("different in Last Known Location");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    String words() {
      return words;
    }
  }

  /** The topic, partition and offset of a message. */
  public static String place(ConsumerRecord<?, ?> message) {
    return "%s, partition %d, offset %d"
        .formatted(message.topic(), message.partition(), message.offset());
  }

  /** One line for the user. */
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
