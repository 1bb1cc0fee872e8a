package io.lastfix.store.history;

import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.WriteModel;
import io.lastfix.model.CellId;
import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.model.PositionSource;
import io.lastfix.model.Radio;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.bson.BsonArray;
import org.bson.BsonBoolean;
import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonNull;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * Converts a record to the insert of one document of History. Fields that are not known are absent:
 *
 * <pre>
 * {_id: BinData(20 bytes), user, ts: Date, cell: "mcc-mnc-area-cid", radio,
 *  loc: {lon, lat}, src, located: Date, acc, alt, shape, cellLoc: {lon, lat}, far: true}
 * </pre>
 *
 * {@code loc} is the position to use, {@code src} where it comes from ({@link
 * io.lastfix.model.PositionSource#text()}), {@code acc} and {@code alt} metres. {@code cellLoc} is
 * the position of the cell of a record that has one of its own. {@code radio} is there only as long
 * as {@code loc} is not, since finding the position later needs it: null if the record named none.
 *
 * <p>If the same record arrives again and its cell is then known, the sink adds what {@link
 * #completions} returns, and {@link #locatedLater} adds what was found later. A completed document
 * equals one that was complete from the start, byte for byte.
 *
 * <p>Records that differ in {@code acc}, {@code alt} or {@code shape} only have one {@code _id}.
 * The document has those of the greatest (acc, alt, shape), where unknown is less than any: {@link
 * #completions} replaces those of a lesser one. So the order of arrival does not matter, and {@code
 * acc} is the same as in Last Known Location. Nothing else of a stored document ever changes.
 *
 * <p>{@link HistoryId} describes {@code _id}.
 */
public final class HistoryDocumentConverter
    implements Function<LocatedRecord, WriteModel<BsonDocument>> {
  private static final BsonDocument NO_RADIO = new BsonDocument("radio", new BsonString(""));

  /** In an expression: no such field. */
  private static final BsonValue REMOVE = new BsonString("$$REMOVE");

  /** What records with one {@code _id} may differ in, in the order of comparison. */
  private static final List<String> DETAILS = List.of("acc", "alt", "shape");

  @Override
  public WriteModel<BsonDocument> apply(LocatedRecord record) {
    return new InsertOneModel<>(document(record));
  }

  private static BsonDocument document(LocatedRecord record) {
    BsonDocument document = identity(record);
    CellId cell = record.cell();
    if (cell != null) {
      document.append("cell", new BsonString(cell.toString()));
    }
    Fix fix = record.fix();
    Position cellPosition = record.cellPosition();
    if (fix != null) {
      append(document, fix);
      if (cellPosition != null) {
        appendCellPosition(document, cellPosition, record.isFar());
      }
    } else if (cellPosition != null) {
      append(document, cellPosition, PositionSource.CELL);
    } else {
      Radio radio = record.place().radio();
      document.append("radio", radio == null ? BsonNull.VALUE : new BsonString(radio.name()));
    }
    return document;
  }

  private static BsonDocument identity(LocatedRecord record) {
    return new BsonDocument(
            "_id", HistoryId.of(record.user(), record.timestampMillis(), record.place()))
        .append("user", new BsonString(record.user()))
        .append("ts", new BsonDateTime(record.timestampMillis()));
  }

  private static void append(BsonDocument document, Position position, PositionSource source) {
    document.append("loc", location(position)).append("src", new BsonString(source.text()));
  }

  private static void append(BsonDocument document, Fix fix) {
    append(document, fix.position(), fix.source());
    if (fix.accuracyMeters() != null) {
      document.append("acc", new BsonDouble(fix.accuracyMeters()));
    }
    if (fix.altitudeMeters() != null) {
      document.append("alt", new BsonDouble(fix.altitudeMeters()));
    }
    if (fix.shape() != null) {
      document.append("shape", BsonDocument.parse(fix.shape()));
    }
  }

  private static void appendCellPosition(
      BsonDocument document, Position cellPosition, boolean isFar) {
    document.append("cellLoc", location(cellPosition));
    if (isFar) {
      document.append("far", BsonBoolean.TRUE);
    }
  }

  /**
   * Returns the updates of the stored document of a record that arrived again. Each does nothing if
   * the document needs nothing. Most records need at most one, those at a cell that is still
   * unknown none. The filters contain the fields of both shard keys, so that each targets one
   * shard.
   */
  public static List<WriteModel<BsonDocument>> completions(LocatedRecord record) {
    Position cellPosition = record.cellPosition();
    if (!record.hasOwnPosition()) {
      return cellPosition == null ? List.of() : List.of(located(record, atCell(cellPosition)));
    }
    List<WriteModel<BsonDocument>> updates = new ArrayList<>(greaterDetails(record));
    if (cellPosition != null) {
      BsonDocument added = new BsonDocument();
      appendCellPosition(added, cellPosition, record.isFar());
      updates.add(
          new UpdateOneModel<>(lacking("cellLoc", record), new BsonDocument("$set", added)));
    }
    return updates;
  }

  private static BsonDocument atCell(Position cellPosition) {
    BsonDocument position = new BsonDocument();
    append(position, cellPosition, PositionSource.CELL);
    return position;
  }

  private static WriteModel<BsonDocument> located(LocatedRecord record, BsonDocument added) {
    return new UpdateOneModel<>(
        lacking("loc", record), new BsonDocument("$set", added).append("$unset", NO_RADIO));
  }

  /**
   * Returns the update that replaces accuracy, altitude and shape together if the record's are
   * greater. It replaces the whole document, since {@code $set} would append a field that is new,
   * and equal documents would be different bytes. What is stored of the cell stays.
   */
  private static List<WriteModel<BsonDocument>> greaterDetails(LocatedRecord record) {
    BsonDocument document = document(record);
    BsonArray stored = new BsonArray();
    BsonArray details = new BsonArray();
    for (String field : DETAILS) {
      stored.add(call("$ifNull", new BsonString("$" + field), BsonNull.VALUE));
      details.add(document.getOrDefault(field, BsonNull.VALUE));
    }
    if (details.stream().allMatch(BsonValue::isNull)) {
      return List.of();
    }
    BsonDocument isLess = identity(record).append("$expr", call("$lt", stored, literal(details)));
    BsonValue own = document.remove("cellLoc");
    BsonValue ownFar = document.containsKey("far") ? document.remove("far") : REMOVE;
    BsonValue storedCell = new BsonString("$cellLoc");
    BsonValue storedFar = new BsonString("$far");
    BsonDocument kept = new BsonDocument();
    if (own == null) {
      kept.append("cellLoc", storedCell).append("far", storedFar);
    } else {
      // "far" compares with the stored position of the cell. The catalogue may have moved the cell
      // since, and the record was compared with the new position.
      BsonDocument cell = call("$ifNull", storedCell, literal(own));
      kept.append("cellLoc", cell)
          .append("far", call("$cond", call("$eq", cell, literal(own)), ownFar, storedFar));
    }
    BsonDocument merged = call("$mergeObjects", literal(document), kept);
    return List.of(new UpdateOneModel<>(isLess, List.of(new BsonDocument("$replaceWith", merged))));
  }

  /** Returns the call of an operator of an expression. */
  public static BsonDocument call(String operator, BsonValue... arguments) {
    return new BsonDocument(operator, new BsonArray(List.of(arguments)));
  }

  /** A user or a shape may contain what the server would take for an expression. */
  private static BsonDocument literal(BsonValue value) {
    return new BsonDocument("$literal", value);
  }

  private static BsonDocument lacking(String field, LocatedRecord record) {
    return identity(record).append(field, new BsonDocument("$exists", BsonBoolean.FALSE));
  }

  /**
   * Returns the update that adds the position found later to the stored document of a record at a
   * cell, if that lacks it. As {@link #completions}, and marked with the time at which it was
   * found.
   *
   * @param locatedMillis in milliseconds since 1970-01-01T00:00:00Z
   * @throws IllegalArgumentException if the record has a position of its own, or its cell's is
   *     unknown
   */
  public static WriteModel<BsonDocument> locatedLater(LocatedRecord record, long locatedMillis) {
    Position cellPosition = record.cellPosition();
    if (cellPosition == null || record.hasOwnPosition()) {
      throw new IllegalArgumentException("record: expected one at a known cell only");
    }
    return located(record, atCell(cellPosition).append("located", new BsonDateTime(locatedMillis)));
  }

  /** Returns the position, longitude first: a {@code 2dsphere} index accepts such a pair. */
  public static BsonDocument location(Position position) {
    return new BsonDocument("lon", new BsonDouble(position.lon()))
        .append("lat", new BsonDouble(position.lat()));
  }
}
