package io.lastfix.store.history;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocationRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import io.lastfix.model.Sighting;
import java.time.Instant;
import java.util.HexFormat;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Converts documents of History to records; {@link HistoryDocumentConverter} describes them. */
public final class HistoryDocument {
  private HistoryDocument() {}

  /**
   * Returns the record of a document with a position, as far as Last Known Location stores it: the
   * altitude, the shape and the position of the cell beside an own one are left out.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field without its
   *     value
   */
  public static LocatedRecord toRecord(BsonDocument document) {
    LocatedRecord usual = HistoryBytes.read(document);
    return usual == null ? byFields(document) : usual;
  }

  private static LocatedRecord byFields(BsonDocument document) {
    PositionSource source = source(document);
    return new Sighting(
            user(document),
            Instant.ofEpochMilli(timestampMillis(document)),
            document.containsKey("cell") ? text(document, "cell") : null,
            position(document),
            source,
            source == PositionSource.CELL ? null : accuracy(document),
            null,
            null,
            false,
            null)
        .toRecord();
  }

  /**
   * Returns the record of any document, as far as numbers are computed from it.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field without its
   *     value
   */
  public static LocatedRecord toAnyRecord(BsonDocument document) {
    LocatedRecord usual = HistoryBytes.read(document);
    if (usual != null) {
      return usual;
    }
    return document.containsKey("loc") ? byFields(document) : toUnlocatedRecord(document).at(null);
  }

  /**
   * Returns the record of a document without a position, to be joined again.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field without its
   *     value
   */
  public static LocationRecord toUnlocatedRecord(BsonDocument document) {
    CellId cell = CellId.parse(text(document, "cell"));
    Radio radio = null;
    if (document.containsKey("radio") && !document.isNull("radio")) {
      radio =
          Radio.parse(text(document, "radio"))
              .orElseThrow(() -> new IllegalArgumentException("radio: expected a radio's name"));
    }
    return new LocationRecord(user(document), cell, radio, timestampMillis(document));
  }

  private static String user(BsonDocument document) {
    return text(document, "user");
  }

  private static long timestampMillis(BsonDocument document) {
    return field(document, "ts", BsonType.DATE_TIME).asDateTime().getValue();
  }

  private static PositionSource source(BsonDocument document) {
    return document.containsKey("src")
        ? PositionSource.ofText(text(document, "src"))
        : PositionSource.CELL;
  }

  private static Position position(BsonDocument document) {
    BsonDocument loc = field(document, "loc", BsonType.DOCUMENT).asDocument();
    double lon = field(loc, "lon", BsonType.DOUBLE).asDouble().getValue();
    double lat = field(loc, "lat", BsonType.DOUBLE).asDouble().getValue();
    return new Position(lon, lat);
  }

  private static @Nullable Double accuracy(BsonDocument document) {
    return document.containsKey("acc")
        ? field(document, "acc", BsonType.DOUBLE).asDouble().getValue()
        : null;
  }

  private static String text(BsonDocument document, String name) {
    return field(document, name, BsonType.STRING).asString().getValue();
  }

  private static BsonValue field(BsonDocument document, String name, BsonType type) {
    BsonValue value = document.get(name);
    if (value == null || value.getBsonType() != type) {
      throw new IllegalArgumentException(
          "%s: expected %s, found %s"
              .formatted(name, type, value == null ? "nothing" : value.getBsonType()));
    }
    return value;
  }

  /**
   * Returns the {@code _id} in mongosh syntax; for a type that may contain a device's data, only
   * the type.
   */
  public static String describeId(BsonDocument document) {
    BsonValue id = document.get("_id");
    return switch (id.getBsonType()) {
      case BINARY ->
          "HexData(%d, \"%s\")"
              .formatted(
                  id.asBinary().getType(), HexFormat.of().formatHex(id.asBinary().getData()));
      case OBJECT_ID -> "ObjectId(\"%s\")".formatted(id.asObjectId().getValue());
      default -> "of type " + id.getBsonType();
    };
  }
}
