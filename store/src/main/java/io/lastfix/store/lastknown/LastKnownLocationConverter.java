package io.lastfix.store.lastknown;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonString;

/**
 * Converts a located record to the upsert of its user's Last Known Location:
 *
 * <pre>
 * filter  {_id: user}
 * update  {$max: {last: {ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}}}}
 * </pre>
 *
 * <p>{@code $max} compares documents field by field, in their order. It replaces {@code last} as a
 * whole if (ts, cell, lon, lat) is greater, and otherwise leaves it. The newest record thus wins in
 * one atomic step, whatever the order of arrival. The order of the fields is therefore part of the
 * format; {@link LocatedRecordOrder} implements the same order in Java. The filter is {@code _id}
 * alone, the whole shard key. It makes the server itself retry if two first inserts race.
 */
public final class LastKnownLocationConverter
    implements Function<LocatedRecord, WriteModel<BsonDocument>> {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  @Override
  public WriteModel<BsonDocument> apply(LocatedRecord record) {
    Position position = record.position();
    if (position == null) {
      throw new IllegalArgumentException(
          "Last Known Location takes located records only: filter by isLocated()");
    }
    BsonDocument last =
        new BsonDocument("ts", new BsonDateTime(record.timestampMillis()))
            .append("cell", new BsonString(record.cell().toString()))
            .append("loc", HistoryDocumentConverter.location(position));
    return new UpdateOneModel<>(
        new BsonDocument("_id", new BsonString(record.user())),
        new BsonDocument("$max", new BsonDocument("last", last)),
        UPSERT);
  }
}
