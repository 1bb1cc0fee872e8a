package io.lastfix.parse.shape;

import io.lastfix.model.Position;
import io.lastfix.parse.shape.Shape.Arc;
import io.lastfix.parse.shape.Shape.Circle;
import io.lastfix.parse.shape.Shape.Ellipse;
import io.lastfix.parse.shape.Shape.Points;
import io.lastfix.parse.shape.Shape.Polygon;
import io.lastfix.parse.shape.Shape.Several;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.sf.geographiclib.GeoMath;
import net.sf.geographiclib.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Writes a shape as the text of a GeoJSON geometry. GeoJSON has no curves: a circle, an ellipse and
 * the outline of an arc become polygons with {@value #CURVE_POINTS} points on each whole turn,
 * which lie on the curve. Outer rings are counter-clockwise and holes clockwise, as RFC 7946 wants
 * it; rings across the antimeridian are not cut. Coordinates have at most 7 decimals.
 */
public final class GeoJson {
  private static final int CURVE_POINTS = 48;

  /** Maximum number of shapes that are written; each curve takes about a kilobyte. */
  private static final int MAX_PARTS = 16;

  private GeoJson() {}

  /**
   * Returns the text; null if the position says the same (a point), if there are too many shapes to
   * keep, or if the direction of an ellipse is unknown.
   */
  public static @Nullable String of(Shape shape) {
    List<Shape> parts = flat(shape).map(GeoJson::simplified).toList();
    boolean isPoint = parts.size() == 1 && isPoint(parts.get(0));
    if (isPoint || parts.size() > MAX_PARTS || parts.stream().anyMatch(GeoJson::isUnknown)) {
      return null;
    }
    if (parts.size() == 1) {
      return geometry(parts.get(0));
    }
    boolean areAreas = parts.stream().noneMatch(Points.class::isInstance);
    return areAreas
        ? object("MultiPolygon", "coordinates", array(parts, GeoJson::rings))
        : object("GeometryCollection", "geometries", array(parts, GeoJson::geometry));
  }

  private static boolean isPoint(Shape shape) {
    return shape instanceof Points points && points.positions().size() == 1;
  }

  private static boolean isUnknown(Shape shape) {
    return shape instanceof Ellipse ellipse && Double.isNaN(ellipse.angle());
  }

  /** Returns a point for a curve without extent, which would be no valid polygon. */
  private static Shape simplified(Shape shape) {
    if (shape instanceof Circle circle && circle.radius() == 0) {
      return new Points(List.of(circle.centre()));
    }
    if (shape instanceof Ellipse ellipse && ellipse.semiMajor() == 0) {
      return new Points(List.of(ellipse.centre()));
    }
    if (shape instanceof Arc arc && arc.outerRadius() == 0) {
      return new Points(List.of(arc.centre()));
    }
    return shape;
  }

  private static Stream<Shape> flat(Shape shape) {
    return shape instanceof Several several
        ? several.parts().stream().flatMap(GeoJson::flat)
        : Stream.of(shape);
  }

  private static String geometry(Shape shape) {
    if (!(shape instanceof Points points)) {
      return object("Polygon", "coordinates", rings(shape));
    }
    List<Position> positions = points.positions();
    return positions.size() == 1
        ? object("Point", "coordinates", text(positions.get(0)))
        : object("LineString", "coordinates", array(positions, GeoJson::text));
  }

  private static String object(String type, String member, String value) {
    return "{\"type\":\"" + type + "\",\"" + member + "\":" + value + "}";
  }

  private static <T> String array(List<T> values, Function<T, String> text) {
    return values.stream().map(text).collect(Collectors.joining(",", "[", "]"));
  }

  /** Returns the text of its rings, each closed and in the right direction; the first is outer. */
  private static String rings(Shape shape) {
    List<List<Position>> closed = new ArrayList<>();
    for (List<Position> ring : outlines(shape)) {
      List<Position> positions = new ArrayList<>(ring);
      positions.add(positions.get(0));
      if (isClockwise(positions) == closed.isEmpty()) {
        Collections.reverse(positions);
      }
      closed.add(positions);
    }
    return array(closed, ring -> array(ring, GeoJson::text));
  }

  private static List<List<Position>> outlines(Shape shape) {
    List<List<Position>> rings = new ArrayList<>();
    if (shape instanceof Circle circle) {
      rings.add(curve(circle.centre(), circle.radius(), 0, 360));
    } else if (shape instanceof Ellipse ellipse) {
      rings.add(outline(ellipse));
    } else if (shape instanceof Arc arc) {
      addOutline(arc, rings);
    } else if (shape instanceof Polygon polygon) {
      rings.add(polygon.outer());
      rings.addAll(polygon.holes());
    } else {
      throw new IllegalArgumentException("expected an area");
    }
    return rings;
  }

  private static List<Position> outline(Ellipse ellipse) {
    List<Position> points = new ArrayList<>();
    Pair sinCos = new Pair();
    for (int i = CURVE_POINTS; i > 0; i--) {
      // The parameter of the ellipse, from its major axis towards the minor one.
      GeoMath.sincosd(sinCos, 360.0 * i / CURVE_POINTS);
      double along = ellipse.semiMajor() * sinCos.second;
      double across = ellipse.semiMinor() * sinCos.first;
      double direction = ellipse.angle() + Math.toDegrees(Math.atan2(across, along));
      points.add(CoveringCircle.at(ellipse.centre(), direction, Math.hypot(along, across)));
    }
    return points;
  }

  private static void addOutline(Arc arc, List<List<Position>> rings) {
    Position centre = arc.centre();
    List<Position> outer = curve(centre, arc.outerRadius(), arc.start(), arc.included());
    boolean isWhole = arc.included() == 360;
    if (arc.innerRadius() == 0 && !isWhole) {
      outer.add(centre);
    } else if (arc.innerRadius() > 0) {
      List<Position> inner = curve(centre, arc.innerRadius(), arc.start(), arc.included());
      Collections.reverse(inner);
      if (isWhole) {
        rings.add(outer);
        rings.add(inner);
        return;
      }
      outer.addAll(inner);
    }
    rings.add(outer);
  }

  /** Returns points on a circle, counter-clockwise as GeoJSON's outer rings are. */
  private static List<Position> curve(
      Position centre, double radius, double start, double included) {
    boolean isWhole = included == 360;
    int steps = Math.max(1, (int) Math.ceil(CURVE_POINTS * included / 360));
    List<Position> points = new ArrayList<>();
    for (int i = steps; i >= (isWhole ? 1 : 0); i--) {
      points.add(CoveringCircle.at(centre, start + included * i / steps, radius));
    }
    return points;
  }

  /** Across the antimeridian, longitudes continue. */
  private static boolean isClockwise(List<Position> ring) {
    double doubleArea = 0;
    Position origin = ring.get(0);
    for (int i = 1; i < ring.size() - 1; i++) {
      Position a = ring.get(i);
      Position b = ring.get(i + 1);
      doubleArea +=
          east(origin, a) * (b.lat() - origin.lat()) - east(origin, b) * (a.lat() - origin.lat());
    }
    return doubleArea < 0;
  }

  private static double east(Position from, Position to) {
    return Math.IEEEremainder(to.lon() - from.lon(), 360);
  }

  private static String text(Position position) {
    return "[" + degrees(position.lon()) + "," + degrees(position.lat()) + "]";
  }

  private static String degrees(double degrees) {
    long units = Math.round(degrees * 1e7);
    return BigDecimal.valueOf(units, 7).stripTrailingZeros().toPlainString();
  }
}
