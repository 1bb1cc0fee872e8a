package io.lastfix.store.history;

import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.time.Instant;
import org.bson.BsonBinaryReader;
import org.bson.BsonDocument;
import org.bson.BsonInvalidOperationException;
import org.bson.BsonReader;
import org.bson.BsonSerializationException;
import org.bson.BsonType;
import org.bson.RawBsonDocument;
import org.bson.io.ByteBufferBsonInput;
import org.jspecify.annotations.Nullable;

/**
 * Reads a document with a position in one pass over its bytes. A {@link RawBsonDocument} reads them
 * from the beginning for each field, which takes several times as long.
 *
 * <p>It reads the usual document only, and leaves all others to {@link HistoryDocument}.
 */
final class HistoryBytes {
  private @Nullable String user;
  private @Nullable Long timestampMillis;
  private @Nullable String cell;
  private @Nullable Position position;
  private @Nullable String source;
  private @Nullable Double accuracyMeters;

  private HistoryBytes() {}

  /**
   * Returns the record of a document as {@link HistoryDocument#toRecord} does; null if the document
   * is not one of bytes, has no position, has a field twice, or violates the format.
   */
  static @Nullable LocatedRecord read(BsonDocument document) {
    if (!(document instanceof RawBsonDocument raw)) {
      return null;
    }
    try (BsonReader reader = new BsonBinaryReader(new ByteBufferBsonInput(raw.getByteBuffer()))) {
      HistoryBytes fields = new HistoryBytes();
      reader.readStartDocument();
      while (reader.readBsonType() != BsonType.END_OF_DOCUMENT) {
        if (!fields.read(reader)) {
          return null;
        }
      }
      return fields.record();
    } catch (IllegalArgumentException
        | BsonInvalidOperationException
        | BsonSerializationException e) {
      return null;
    }
  }

  /** Reads the next field, and returns whether it is there for the first time. */
  private boolean read(BsonReader reader) {
    boolean isFirst = true;
    switch (reader.readName()) {
      case "user" -> {
        isFirst = user == null;
        user = reader.readString();
      }
      case "ts" -> {
        isFirst = timestampMillis == null;
        timestampMillis = reader.readDateTime();
      }
      case "cell" -> {
        isFirst = cell == null;
        cell = reader.readString();
      }
      case "loc" -> {
        isFirst = position == null;
        position = position(reader);
      }
      case "src" -> {
        isFirst = source == null;
        source = reader.readString();
      }
      case "acc" -> {
        isFirst = accuracyMeters == null;
        accuracyMeters = reader.readDouble();
      }
      default -> reader.skipValue();
    }
    return isFirst;
  }

  private static Position position(BsonReader reader) {
    reader.readStartDocument();
    double lon = reader.readDouble("lon");
    double lat = reader.readDouble("lat");
    reader.readEndDocument();
    return new Position(lon, lat);
  }

  private @Nullable LocatedRecord record() {
    if (user == null || timestampMillis == null || position == null || source == null) {
      return null;
    }
    return new Sighting(
            user,
            Instant.ofEpochMilli(timestampMillis),
            cell,
            position,
            PositionSource.ofText(source),
            accuracyMeters,
            null,
            null,
            false,
            null)
        .toRecord();
  }
}
