package io.lastfix.store.query;

import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.util.Date;
import org.bson.Document;
import org.jspecify.annotations.Nullable;

/** Converts documents of both collections to sightings. */
final class SightingDocuments {
  private SightingDocuments() {}

  static Sighting ofHistory(Document document) {
    return of(document.getString("user"), document);
  }

  /** Returns one of the two positions of a document of Last Known Location. */
  static Sighting ofLastKnownLocation(Document document, NewestPosition which) {
    return of(document.getString("_id"), document.get(which.field(), Document.class));
  }

  /** Returns a document of Last Known Location. */
  static LastKnownLocation ofLastKnownLocation(Document document) {
    return new LastKnownLocation(
        ofLastKnownLocation(document, NewestPosition.OF_ALL),
        document.get(NewestPosition.OWN.field()) == null
            ? null
            : ofLastKnownLocation(document, NewestPosition.OWN));
  }

  private static Sighting of(String user, Document fields) {
    Position position = position(fields, "loc");
    String source = fields.getString("src");
    Date located = fields.getDate("located");
    return new Sighting(
        user,
        fields.getDate("ts").toInstant(),
        fields.getString("cell"),
        position,
        source == null ? null : PositionSource.ofText(source),
        fields.getDouble("acc"),
        fields.getDouble("alt"),
        position(fields, "cellLoc"),
        fields.getBoolean("far", false),
        located == null ? null : located.toInstant());
  }

  private static @Nullable Position position(Document fields, String name) {
    Document loc = fields.get(name, Document.class);
    return loc == null ? null : new Position(loc.getDouble("lon"), loc.getDouble("lat"));
  }
}
