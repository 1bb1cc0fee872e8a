package io.lastfix.store.audit;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.ser.std.ToStringSerializer;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * What an audit said, without any user, record or position: an erasure need not look here.
 *
 * @param job the name of the location job
 * @param at when the audit ended
 * @param tookMillis how long it ran
 * @param from records from this time on were judged; null: from the first on
 * @param to records before this time were judged; null: up to the last
 * @param topics the location topics that it read
 * @param records in them
 * @param history records that are in History
 * @param duplicates further sightings of the same records
 * @param rejected records that were rejected
 * @param discrepancies documents and messages that differ
 * @param notJudged records, documents and messages that could not be judged, and topics that were
 *     not read
 * @param undecided those of them that could hide a wrong position
 * @param verdict of the audit, in one line
 */
public record AuditResult(
    String job,
    Instant at,
    long tookMillis,
    @Nullable Instant from,
    @Nullable Instant to,
    List<String> topics,
    long records,
    long history,
    long duplicates,
    long rejected,
    long discrepancies,
    long notJudged,
    long undecided,
    String verdict) {
  private static final ObjectMapper JSON =
      new ObjectMapper()
          .registerModule(
              new SimpleModule().addSerializer(Instant.class, ToStringSerializer.instance));

  /** Returns the document, whose {@code _id} is the job. */
  Document toDocument() {
    return new Document("_id", job)
        .append("at", Date.from(at))
        .append("tookMillis", tookMillis)
        .append("from", date(from))
        .append("to", date(to))
        .append("topics", topics)
        .append("records", records)
        .append("history", history)
        .append("duplicates", duplicates)
        .append("rejected", rejected)
        .append("discrepancies", discrepancies)
        .append("notJudged", notJudged)
        .append("undecided", undecided)
        .append("verdict", verdict);
  }

  /** Reads what {@link #toDocument} returns. */
  static AuditResult of(Document document) {
    return new AuditResult(
        document.getString("_id"),
        document.getDate("at").toInstant(),
        document.getLong("tookMillis"),
        instant(document.getDate("from")),
        instant(document.getDate("to")),
        document.getList("topics", String.class),
        document.getLong("records"),
        document.getLong("history"),
        document.getLong("duplicates"),
        document.getLong("rejected"),
        document.getLong("discrepancies"),
        document.getLong("notJudged"),
        document.getLong("undecided"),
        document.getString("verdict"));
  }

  private static @Nullable Date date(@Nullable Instant instant) {
    return instant == null ? null : Date.from(instant);
  }

  private static @Nullable Instant instant(@Nullable Date date) {
    return date == null ? null : date.toInstant();
  }

  /** Returns all of it as JSON; {@code from} and {@code to} only if the audit had them. */
  public ObjectNode toJson() {
    ObjectNode json = JSON.valueToTree(this);
    json.properties().removeIf(field -> field.getValue().isNull());
    return json;
  }
}
