package io.lastfix.store.query;

import static io.lastfix.store.query.SphericalDistance.call;

import java.util.ArrayList;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;

/**
 * An area between two meridians and two parallels, in columns and rows of equal degrees.
 *
 * @param west longitude, -180 to 180
 * @param south latitude, -90 to 90
 * @param width degrees of longitude, more than 0 and up to 360; the area may cross the 180th
 *     meridian
 * @param height degrees of latitude, more than 0
 * @param columns 1 to {@link #MOST}
 * @param rows 1 to {@link #MOST}
 */
public record Grid(double west, double south, double width, double height, int columns, int rows) {
  /** The maximum of columns, and of rows. */
  public static final int MOST = 64;

  private static final double TURN = 360;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one is out of range
   */
  public Grid {
    if (!(width > 0 && width <= TURN && height > 0)) {
      throw new IllegalArgumentException("grid: expected a width and a height");
    }
    if (columns < 1 || columns > MOST || rows < 1 || rows > MOST) {
      throw new IllegalArgumentException("grid: expected 1 to %d columns and rows".formatted(MOST));
    }
  }

  private boolean isAllRound() {
    return width == TURN;
  }

  /** The condition that a position is in the area; its edges belong to it. */
  BsonDocument matching(String location) {
    List<BsonDocument> all = new ArrayList<>();
    all.add(between(location + ".lat", south, south + height));
    double east = west + width;
    if (!isAllRound()) {
      all.add(
          east <= TURN / 2
              ? between(location + ".lon", west, east)
              : new BsonDocument(
                  "$or",
                  new BsonArray(
                      List.of(
                          between(location + ".lon", west, TURN / 2),
                          between(location + ".lon", -TURN / 2, east - TURN)))));
    }
    return new BsonDocument("$and", new BsonArray(all));
  }

  private static BsonDocument between(String field, double from, double to) {
    return new BsonDocument(
        field, new BsonDocument("$gte", new BsonDouble(from)).append("$lte", new BsonDouble(to)));
  }

  /** The column of a position. */
  BsonValue column(String location) {
    // From west on, also across the 180th meridian.
    BsonValue degrees =
        call(
            "$mod",
            call(
                "$add",
                call("$subtract", new BsonString("$" + location + ".lon"), new BsonDouble(west)),
                new BsonDouble(TURN)),
            new BsonDouble(TURN));
    return part(degrees, width / columns, columns);
  }

  /** The row of a position. */
  BsonValue row(String location) {
    BsonValue degrees =
        call("$subtract", new BsonString("$" + location + ".lat"), new BsonDouble(south));
    return part(degrees, height / rows, rows);
  }

  private static BsonValue part(BsonValue degrees, double step, int count) {
    // The last edge belongs to the last part.
    return call(
        "$toInt",
        call(
            "$min",
            call("$floor", call("$divide", degrees, new BsonDouble(step))),
            new BsonInt32(count - 1)));
  }
}
