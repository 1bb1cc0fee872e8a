package io.lastfix.store.query;

import java.time.Instant;

/**
 * A device that was in an area.
 *
 * @param user its user, as stored
 * @param records how many records it has there
 * @param first the timestamp of the first
 * @param last the timestamp of the last
 */
public record Visitor(String user, long records, Instant first, Instant last) {
  Visitor plus(Visitor other) {
    return new Visitor(
        user,
        records + other.records,
        first.isBefore(other.first) ? first : other.first,
        last.isAfter(other.last) ? last : other.last);
  }
}
