package io.lastfix.store.query;

import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import org.bson.Document;

/** Reads sightings from the documents of both collections. */
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
