package io.lastfix.store.history;

import io.lastfix.model.CellId;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import java.util.HexFormat;
import org.bson.BsonDocument;
import org.bson.BsonType;
import org.bson.BsonValue;

/**
 * Converts a document of History to a record: {@code {_id, user, ts: Date, cell, loc: {lon, lat}}}.
 */
public final class HistoryDocument {
  private HistoryDocument() {}

  /**
   * Returns the record of a document.
   *
   * @throws IllegalArgumentException if a field violates the format; names the field without its
   *     value
   */
  public static LocatedRecord toRecord(BsonDocument document) {
    String user = field(document, "user", BsonType.STRING).asString().getValue();
    long timestampMillis = field(document, "ts", BsonType.DATE_TIME).asDateTime().getValue();
    CellId cell = CellId.parse(field(document, "cell", BsonType.STRING).asString().getValue());
    BsonDocument loc = field(document, "loc", BsonType.DOCUMENT).asDocument();
    double lon = field(loc, "lon", BsonType.DOUBLE).asDouble().getValue();
    double lat = field(loc, "lat", BsonType.DOUBLE).asDouble().getValue();
    return new LocatedRecord(user, cell, timestampMillis, new Position(lon, lat));
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
