package io.lastfix.store.history;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import java.util.function.Function;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;
import org.jspecify.annotations.Nullable;

/**
 * Converts a record to the insert of one document of History:
 *
 * <pre>{_id: BinData(20 bytes), user, ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}}</pre>
 *
 * {@code loc} is absent if the cell is unknown. If the same record arrives again and its cell is
 * then known, the sink adds {@code loc}. Nothing else of a stored document ever changes.
 *
 * <p>{@link HistoryId} describes {@code _id}.
 */
public final class HistoryDocumentConverter
    implements Function<LocatedRecord, WriteModel<BsonDocument>> {
  @Override
  public WriteModel<BsonDocument> apply(LocatedRecord record) {
    String cell = record.cell().toString();
    BsonDocument document =
        new BsonDocument("_id", HistoryId.of(record.user(), record.timestampMillis(), cell))
            .append("user", new BsonString(record.user()))
            .append("ts", new BsonDateTime(record.timestampMillis()))
            .append("cell", new BsonString(cell));
    Position position = record.position();
    if (position != null) {
      document.append("loc", location(position));
    }
    return new InsertOneModel<>(document);
  }

  /**
   * Returns the update that adds {@code loc} to the document of this record; null if the record has
   * no position either. The filter contains the fields of both shard keys, so that it targets one
   * shard.
   */
  public static @Nullable WriteModel<BsonDocument> completion(LocatedRecord record) {
    Position position = record.position();
    if (position == null) {
      return null;
    }
    BsonDocument lacksLocation =
        new BsonDocument(
                "_id",
                HistoryId.of(record.user(), record.timestampMillis(), record.cell().toString()))
            .append("user", new BsonString(record.user()))
            .append("ts", new BsonDateTime(record.timestampMillis()))
            .append("loc", new BsonDocument("$exists", BsonBoolean.FALSE));
    return new UpdateOneModel<>(
        lacksLocation, new BsonDocument("$set", new BsonDocument("loc", location(position))));
  }

  /** Returns the position, longitude first: a {@code 2dsphere} index accepts such a pair. */
  public static BsonDocument location(Position position) {
    return new BsonDocument("lon", new BsonDouble(position.lon()))
        .append("lat", new BsonDouble(position.lat()));
  }
}
