package io.lastfix.store.query;

import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import org.bson.Document;

/** Converts documents of both collections to sightings. */
final class SightingDocuments {
  private SightingDocuments() {}

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
