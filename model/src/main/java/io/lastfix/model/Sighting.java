package io.lastfix.query;

import io.lastfix.model.Position;
import java.time.Instant;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * One answer: a device, a moment, a cell, and where that was.
 *
 * @param user the device or subscriber
 * @param timestamp by the record's own clock, with milliseconds
 * @param cell {@code mcc-mnc-area-cid}
 * @param position WGS 84; null where the cell was not known
 */
public record Sighting(String user, Instant timestamp, String cell, @Nullable Position position) {
  static Sighting ofHistory(Document document) {
    return of(document.getString("user"), document);
  }

  static Sighting ofLastKnownLocation(Document document) {
    return of(document.getString("_id"), document.get("last", Document.class));
  }

  private static Sighting of(String user, Document fields) {
    Document loc = fields.get("loc", Document.class);
    return new Sighting(
        user,
        fields.getDate("ts").toInstant(),
        fields.getString("cell"),
        loc == null ? null : new Position(loc.getDouble("lon"), loc.getDouble("lat")));
  }
}
