package io.lastfix.rules.fence;

import io.lastfix.model.Position;
import io.lastfix.rules.text.Ids;
import io.lastfix.rules.text.TextException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the area of a fence from GeoJSON (RFC 7946): a Polygon, a MultiPolygon, or a Point with a
 * radius; alone, as a Feature, or as a FeatureCollection of one.
 */
public final class FenceReader {
  /** The longest text. A message of Kafka has 1 MiB at most, unless its topic allows more. */
  public static final int MAX_LENGTH = 500_000;

  private static final String RADIUS = "radius";
  private static final String RINGS =
      "expected coordinates that are arrays of rings, each an array of positions";

  private FenceReader() {}

  /**
   * Reads a fence, and checks its geometry.
   *
   * @param radiusMeters of a circle, also if the Feature has a property {@code radius}; null: that
   * @throws TextException if the text is no fence; names what was expected, with the place
   * @throws IllegalArgumentException if the id is invalid
   */
  public static Fence read(String id, String text, @Nullable Double radiusMeters)
      throws TextException {
    return read(
        id,
        text,
        radiusMeters,
        fence -> {
          var unused = new FenceShape(fence);
        });
  }

  /**
   * Reads a fence that was checked before it was stored. Its geometry is left to {@link
   * FenceShape}: a command reads all fences, and needs that of none.
   *
   * @throws TextException as {@link #read}
   */
  public static Fence readStored(String id, String text, @Nullable Double radiusMeters)
      throws TextException {
    return read(id, text, radiusMeters, fence -> {});
  }

  private static Fence read(
      String id, String text, @Nullable Double radiusMeters, Consumer<Fence> check)
      throws TextException {
    // First: it is no part of the text, so it has no place in it.
    var unused = Ids.require(id);
    if (text.length() > MAX_LENGTH) {
      throw new TextException(
          1, 1, "expected at most %,d characters, found %,d".formatted(MAX_LENGTH, text.length()));
    }
    LocatedJson json = LocatedJson.parse(text);
    if (isOfType(json, "FeatureCollection")) {
      List<LocatedJson> features = json.member("features").elements("expected features");
      if (features.size() != 1) {
        throw json.exception("expected one feature, found " + features.size());
      }
      json = features.get(0);
    }
    Double radius = radiusMeters;
    if (isOfType(json, "Feature")) {
      Object property = json.member("properties").member(RADIUS).value();
      if (radius == null && property instanceof Double meters) {
        radius = meters;
      }
      json = json.member("geometry");
    }
    return fence(id, json, radius, check);
  }

  private static boolean isOfType(LocatedJson json, String type) {
    return type.equals(json.member("type").value());
  }

  private static Fence fence(
      String id, LocatedJson geometry, @Nullable Double radius, Consumer<Fence> check)
      throws TextException {
    LocatedJson coordinates = geometry.member("coordinates");
    Object type = geometry.member("type").value();
    if (!(type instanceof String text)) {
      throw geometry.exception("expected a geometry of GeoJSON, found no type");
    }
    boolean isPoint = text.equals("Point");
    if (isPoint && radius == null) {
      throw geometry.exception("expected a radius with a Point: --radius, or a property radius");
    }
    if (!isPoint && radius != null) {
      throw geometry.exception("expected a radius with a Point alone, found " + text);
    }
    List<List<List<Position>>> polygons =
        switch (text) {
          case "Point" -> List.of();
          case "Polygon" -> List.of(rings(coordinates));
          case "MultiPolygon" -> polygons(coordinates);
          default ->
              throw geometry.exception(
                  "expected a Polygon, a MultiPolygon or a Point with a radius, found " + text);
        };
    Position center = isPoint ? position(coordinates) : null;
    try {
      Fence fence =
          new Fence(
              id,
              center != null && radius != null
                  ? new Fence.Circle(center, radius)
                  : new Fence.Polygons(polygons));
      check.accept(fence);
      return fence;
    } catch (IllegalArgumentException e) {
      throw coordinates.exception(String.valueOf(e.getMessage()));
    }
  }

  private static List<List<List<Position>>> polygons(LocatedJson coordinates) throws TextException {
    List<List<List<Position>>> polygons = new ArrayList<>();
    for (LocatedJson polygon : coordinates.elements(RINGS)) {
      polygons.add(rings(polygon));
    }
    return polygons;
  }

  private static List<List<Position>> rings(LocatedJson coordinates) throws TextException {
    List<List<Position>> rings = new ArrayList<>();
    for (LocatedJson ring : coordinates.elements(RINGS)) {
      List<Position> positions = new ArrayList<>();
      for (LocatedJson position : ring.elements(RINGS)) {
        positions.add(position(position));
      }
      rings.add(positions);
    }
    return rings;
  }

  /** Reads longitude and latitude; ignores an altitude. */
  private static Position position(LocatedJson json) throws TextException {
    String expected = "expected a position, which is [longitude, latitude]";
    List<LocatedJson> numbers = json.elements(expected);
    if (numbers.size() < 2
        || !(numbers.get(0).value() instanceof Double lon)
        || !(numbers.get(1).value() instanceof Double lat)) {
      throw json.exception(expected);
    }
    try {
      return new Position(lon, lat);
    } catch (IllegalArgumentException e) {
      throw json.exception(String.valueOf(e.getMessage()));
    }
  }
}
