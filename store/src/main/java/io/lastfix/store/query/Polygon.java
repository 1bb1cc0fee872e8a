package io.lastfix.store.query;

import io.lastfix.model.Position;
import io.lastfix.model.Rings;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/**
 * An area on the earth, as a polygon of RFC 7946 (GeoJSON). Its edges are the shortest lines
 * between its corners on a sphere. A ring divides the earth into two parts; the area is the smaller
 * one, whichever way the ring goes round. An area across the 180th meridian needs no cut.
 *
 * @param rings the outline, then its holes, if any. Each has four or more positions, at least three
 *     of them different, and the last equals the first. The server checks that no edges cross
 */
public record Polygon(List<List<Position>> rings) {
  /**
   * Checks the rings.
   *
   * @throws IllegalArgumentException if a ring is invalid; names what was expected and found
   */
  public Polygon {
    rings = rings.stream().map(List::copyOf).toList();
    try {
      Rings.check(rings);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("polygon: " + e.getMessage(), e);
    }
  }

  /** Returns a polygon without holes. */
  public static Polygon ofOutline(List<Position> outline) {
    return new Polygon(List.of(outline));
  }

  /**
   * Parses a GeoJSON text: a {@code Polygon}, a {@code Feature} with one, or a {@code
   * FeatureCollection} of one such feature.
   *
   * @throws IllegalArgumentException if the text is invalid; names what was expected and found
   */
  public static Polygon ofGeoJson(String text) {
    return PolygonReader.read(text);
  }

  /** Returns the condition that a position is in the area. */
  BsonDocument within() {
    return new BsonDocument("$geoWithin", new BsonDocument("$geometry", toBson()));
  }

  BsonDocument toBson() {
    BsonArray coordinates = new BsonArray();
    for (List<Position> ring : rings) {
      BsonArray positions = new BsonArray();
      ring.forEach(position -> positions.add(toBson(position)));
      coordinates.add(positions);
    }
    return new BsonDocument("type", new BsonString("Polygon")).append("coordinates", coordinates);
  }

  static BsonArray toBson(Position position) {
    return new BsonArray(List.of(new BsonDouble(position.lon()), new BsonDouble(position.lat())));
  }
}
