package io.lastfix.store.timeline;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The documents of density, one for each window in which the number changed:
 *
 * <pre>
 * {_id: {w: Date, by: "cell" | "area", k: place}, n: Int, state: "open" | "closed" | "batch"}
 * {_id: {…}, withheld: true, state: …}
 * </pre>
 */
public final class DensityConverter extends ResultConverter<DensityCount> {
  /** Converts results of the stream, or of History. */
  public DensityConverter(boolean isFromHistory) {
    super(isFromHistory);
  }

  @Override
  public long timeMillis(DensityCount count) {
    return count.windowMillis();
  }

  @Override
  public BsonDocument id(DensityCount count) {
    return new BsonDocument("w", new BsonDateTime(count.windowMillis()))
        .append("by", new BsonString(count.by().text()))
        .append("k", new BsonString(count.place()));
  }

  @Override
  WindowState state(DensityCount count) {
    return count.state();
  }

  @Override
  BsonDocument fields(DensityCount count) {
    return count.isWithheld() ? withheld() : new BsonDocument("n", new BsonInt32(count.devices()));
  }

  @Override
  int charsOfId(DensityCount count) {
    return count.place().length();
  }
}
