package io.lastfix.store.timeline;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;

/**
 * Devices present at a place at a window's end. There is one for each window whose end differs from
 * the end of the window before; it replaces an earlier one of the same window and place. The
 * documents:
 *
 * <pre>
 * {_id: {w: Date, by: "cell" | "area", k: place}, n: Int, state: "open" | "closed" | "batch"}
 * {_id: {…}, withheld: true, state: …}
 * </pre>
 *
 * @param windowMillis the start of the window, in epoch milliseconds
 * @param by what {@code place} is
 * @param place the place
 * @param devices how many devices; {@link #WITHHELD} for a group below the minimum; 0 if deleted
 * @param state whether it may change
 */
public record DensityCount(
    long windowMillis, PlaceKind by, String place, int devices, WindowState state)
    implements GroupResult {
  @Override
  public long timeMillis() {
    return windowMillis;
  }

  @Override
  public BsonDocument id() {
    return ResultConverter.idOfWindow(windowMillis, by.text()).append("k", new BsonString(place));
  }

  @Override
  public BsonDocument numbers() {
    return new BsonDocument("n", new BsonInt32(devices));
  }

  @Override
  public int charsOfId() {
    return place.length();
  }
}
