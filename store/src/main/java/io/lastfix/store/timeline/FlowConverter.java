package io.lastfix.store.timeline;

import org.bson.BsonDateTime;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * The documents of flows:
 *
 * <pre>
 * {_id: {w: Date, by: "cell" | "area", from: place, to: place}, n: Int, devices: Int, state: …}
 * {_id: {…}, withheld: true, state: …}
 * </pre>
 */
public final class FlowConverter extends ResultConverter<FlowCount> {
  /** Converts results of the stream, or of History. */
  public FlowConverter(boolean isFromHistory) {
    super(isFromHistory);
  }

  @Override
  public long timeMillis(FlowCount count) {
    return count.hourMillis();
  }

  @Override
  public BsonDocument id(FlowCount count) {
    return new BsonDocument("w", new BsonDateTime(count.hourMillis()))
        .append("by", new BsonString(count.by().text()))
        .append("from", new BsonString(count.from()))
        .append("to", new BsonString(count.to()));
  }

  @Override
  WindowState state(FlowCount count) {
    return count.state();
  }

  @Override
  BsonDocument fields(FlowCount count) {
    return count.isWithheld()
        ? withheld()
        : new BsonDocument("n", new BsonInt32(count.moves()))
            .append("devices", new BsonInt32(count.devices()));
  }

  @Override
  int charsOfId(FlowCount count) {
    return count.from().length() + count.to().length();
  }
}
