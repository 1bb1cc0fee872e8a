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
 * Makes one located record the upsert of its user's Last Known Location:
 *
 * <pre>
 * filter  {_id: user}
 * update  {$max: {last: {ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}}}}
 * </pre>
 *
 * <p>{@code $max} on a document compares field by field, in the order they stand, so {@code last}
 * is replaced as a whole where (ts, cell, lon, lat) is greater and left alone where it is not:
 * newest wins, whatever the order, in one atomic step. The order of the fields is the rule. {@link
 * LocatedRecordOrder} is the same rule on this side. The filter is {@code _id} alone, which is the
 * whole shard key, and makes the server itself retry where two first inserts race.
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
