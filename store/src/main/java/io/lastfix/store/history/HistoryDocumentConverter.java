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
 * Makes one record the insert of one document of History:
 *
 * <pre>{_id: BinData(20 bytes), user, ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}}</pre>
 *
 * without {@code loc} where the cell is unknown. Such a document is completed if its record comes
 * once more and its cell is known then; nothing else of a stored document ever changes.
 *
 * <p>{@link HistoryId} says what {@code _id} is made of.
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
   * What a document of this record lacks that is stored without {@code loc}; null if the record has
   * none either. The filter names both shard keys' fields, so that it goes to one shard.
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

  /** Longitude first: a {@code 2dsphere} index takes such a pair as it is. */
  public static BsonDocument location(Position position) {
    return new BsonDocument("lon", new BsonDouble(position.lon()))
        .append("lat", new BsonDouble(position.lat()));
  }
}
