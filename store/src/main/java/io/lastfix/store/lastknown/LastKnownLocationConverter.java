package io.lastfix.store.lastknown;

import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.LocatedRecordOrder;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.store.history.HistoryDocumentConverter;
import java.util.function.Function;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/**
 * Converts a located record to the upsert of its user's Last Known Location:
 *
 * <pre>
 * filter  {_id: user}
 * update  {$max: {last: {ts: Date, cell: "mcc-mnc-area-cid", loc: {lon, lat}, src, acc},
 *                 fix: the same, for a record with a position of its own; otherwise null}}
 * </pre>
 *
 * <p>{@code last} is the newest record of all, {@code fix} the newest with a position of the
 * device's own, so that a coarse tower never hides the last good fix. {@code cell} and {@code acc}
 * are null if unknown.
 *
 * <p>{@code $max} compares documents field by field, in their order. It replaces {@code last} as a
 * whole if (ts, cell, lon, lat, src, acc) is greater, and otherwise leaves it. The newest record
 * thus wins in one atomic step, whatever the order of arrival. The order of the fields is therefore
 * part of the format; {@link LocatedRecordOrder} implements the same order in Java. MongoDB orders
 * null before everything else, so {@code fix: null} never replaces a fix; it is there so that equal
 * states are equal bytes, whichever record came first.
 *
 * <p>The filter is {@code _id} alone, the whole shard key. It makes the server itself retry if two
 * first inserts race.
 */
public final class LastKnownLocationConverter
    implements Function<LocatedRecord, WriteModel<BsonDocument>> {
  private static final UpdateOptions UPSERT = new UpdateOptions().upsert(true);

  @Override
  public WriteModel<BsonDocument> apply(LocatedRecord record) {
    Fix fix = record.fix();
    if (fix != null) {
      BsonDocument newest = newest(record, fix.position(), fix.source(), fix.accuracyMeters());
      return update(record.user(), newest, newest);
    }
    Position cellPosition = record.cellPosition();
    if (cellPosition == null) {
      throw new IllegalArgumentException(
          "Last Known Location takes located records only: filter by isLocated()");
    }
    return update(
        record.user(), newest(record, cellPosition, PositionSource.CELL, null), BsonNull.VALUE);
  }

  private static WriteModel<BsonDocument> update(String user, BsonDocument last, BsonValue fix) {
    return new UpdateOneModel<>(
        new BsonDocument("_id", new BsonString(user)),
        new BsonDocument("$max", new BsonDocument("last", last).append("fix", fix)),
        UPSERT);
  }

  private static BsonDocument newest(
      LocatedRecord record, Position position, PositionSource source, @Nullable Double accuracy) {
    CellId cell = record.cell();
    return new BsonDocument("ts", new BsonDateTime(record.timestampMillis()))
        .append("cell", cell == null ? BsonNull.VALUE : new BsonString(cell.toString()))
        .append("loc", HistoryDocumentConverter.location(position))
        .append("src", new BsonString(source.text()))
        .append("acc", accuracy == null ? BsonNull.VALUE : new BsonDouble(accuracy));
  }
}
