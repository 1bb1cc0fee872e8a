package io.lastfix.audit;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * A document of History, or the {@code last} of one of Last Known Location with its user.
 *
 * @param place the position; null if it has none
 */
record StoredDocument(String user, long timestampMillis, String cell, @Nullable Place place) {
  private static final List<String> LAST_FIELDS = List.of("ts", "cell", "loc");
  private static final List<String> LOC_FIELDS = List.of("lon", "lat");

  /** Reads a document of History; null if the job would not write such a document. */
  static @Nullable StoredDocument ofHistory(BsonDocument document) {
    boolean hasPlace = document.containsKey("loc");
    return document.size() == (hasPlace ? 5 : 4) ? of(document.get("user"), document) : null;
  }

  /**
   * Reads a document of Last Known Location; null if the job would not write such a document. The
   * order of the fields counts, because the sink's {@code $max} compares {@code last} as a whole,
   * field by field.
   */
  static @Nullable StoredDocument ofLastKnown(BsonDocument document) {
    BsonValue last = document.get("last");
    if (document.size() != 2 || last == null || !last.isDocument()) {
      return null;
    }
    BsonDocument fields = last.asDocument();
    return isOf(fields, LAST_FIELDS)
            && fields.isDocument("loc")
            && isOf(fields.getDocument("loc"), LOC_FIELDS)
        ? of(document.get("_id"), fields)
        : null;
  }

  private static boolean isOf(BsonDocument document, List<String> fields) {
    return List.copyOf(document.keySet()).equals(fields);
  }

  private static @Nullable StoredDocument of(@Nullable BsonValue user, BsonDocument fields) {
    BsonValue ts = fields.get("ts");
    BsonValue cell = fields.get("cell");
    BsonValue loc = fields.get("loc");
    if (user == null
        || !user.isString()
        || ts == null
        || !ts.isDateTime()
        || cell == null
        || !cell.isString()) {
      return null;
    }
    Place place = loc == null ? null : place(loc);
    return loc != null && place == null
        ? null
        : new StoredDocument(
            user.asString().getValue(),
            ts.asDateTime().getValue(),
            cell.asString().getValue(),
            place);
  }

  private static @Nullable Place place(BsonValue loc) {
    if (!loc.isDocument() || loc.asDocument().size() != 2) {
      return null;
    }
    BsonValue lon = loc.asDocument().get("lon");
    BsonValue lat = loc.asDocument().get("lat");
    return lon != null && lon.isDouble() && lat != null && lat.isDouble()
        ? new Place(lon.asDouble().getValue(), lat.asDouble().getValue())
        : null;
  }
}
