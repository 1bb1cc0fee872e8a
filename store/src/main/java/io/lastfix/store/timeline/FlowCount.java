package io.lastfix.store.timeline;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Moves from a place to another one within an hour. It replaces an earlier one of the same hour and
 * places. The documents:
 *
 * <pre>
 * {_id: {w: Date, by: "cell" | "area", from: place, to: place}, n: Int, devices: Int, state: …}
 * {_id: {…}, withheld: true, state: …}
 * </pre>
 *
 * @param hourMillis the start of the hour, in epoch milliseconds
 * @param by what the places are
 * @param from the place left
 * @param to the place reached
 * @param moves how many moves; {@link #WITHHELD} for a group below the minimum; 0 if deleted
 * @param devices how many devices made them; {@link #WITHHELD} and 0 like {@code moves}
 * @param state whether it may change
 */
public record FlowCount(
    long hourMillis,
    PlaceKind by,
    String from,
    String to,
    int moves,
    int devices,
    WindowState state)
    implements GroupResult {
  @Override
  public long timeMillis() {
    return hourMillis;
  }

  @Override
  public BsonDocument id() {
    return ResultConverter.idOfWindow(hourMillis, by.text())
        .append("from", new BsonString(from))
        .append("to", new BsonString(to));
  }

  @Override
  public BsonDocument numbers() {
    return new BsonDocument("n", new BsonInt32(moves)).append("devices", new BsonInt32(devices));
  }

  @Override
  public int charsOfId() {
    return from.length() + to.length();
  }
}
