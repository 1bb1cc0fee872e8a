package io.lastfix.store.query;

import io.lastfix.model.Position;
import java.util.HashSet;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonDouble;
import org.bson.BsonString;

/**
 * An area on the earth, as a polygon of RFC 7946 (GeoJSON). Its edges are the shortest ways between
 * its corners, on a sphere; of the two parts into which a ring divides the earth it is the smaller
 * one, whichever way the ring goes round. An area over the 180th meridian needs no cut.
 *
 * @param rings the outline, then its holes, if any; each has four positions or more, of which the
 *     last is the first again and at least three differ. That no edges cross is for the server to
 *     check
 */
public record Polygon(List<List<Position>> rings) {
  private static final int LEAST_POSITIONS = 4;
  private static final int LEAST_CORNERS = 3;

  /**
   * Checks the rings.
   *
   * @throws IllegalArgumentException naming what was expected and what was found
   */
  public Polygon {
    rings = rings.stream().map(List::copyOf).toList();
    if (rings.isEmpty()) {
      throw new IllegalArgumentException("polygon: expected an outline, found no ring");
    }
    rings.forEach(Polygon::check);
  }

  private static void check(List<Position> ring) {
    if (ring.size() < LEAST_POSITIONS) {
      throw new IllegalArgumentException(
          "polygon: expected rings of 4 positions or more, found one of " + ring.size());
    }
    if (!ring.get(0).equals(ring.get(ring.size() - 1))) {
      throw new IllegalArgumentException(
          "polygon: expected each ring to end where it begins, found one that is open");
    }
    int corners = new HashSet<>(ring).size();
    if (corners < LEAST_CORNERS) {
      throw new IllegalArgumentException(
          "polygon: expected rings of 3 different positions or more, found one of " + corners);
    }
  }

  /** Without holes. */
  public static Polygon ofOutline(List<Position> outline) {
    return new Polygon(List.of(outline));
  }

  /**
   * Reads a GeoJSON text: a {@code Polygon}, a {@code Feature} with one, or a {@code
   * FeatureCollection} of one such feature.
   *
   * @throws IllegalArgumentException naming what was expected and what was found
   */
  public static Polygon ofGeoJson(String text) {
    return PolygonReader.read(text);
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
