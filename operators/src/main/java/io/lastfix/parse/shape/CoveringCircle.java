package io.lastfix.parse.shape;

import io.lastfix.model.Position;
import io.lastfix.parse.shape.Shape.Arc;
import io.lastfix.parse.shape.Shape.Circle;
import io.lastfix.parse.shape.Shape.Ellipse;
import io.lastfix.parse.shape.Shape.Points;
import io.lastfix.parse.shape.Shape.Polygon;
import io.lastfix.parse.shape.Shape.Several;
import java.util.ArrayList;
import java.util.List;
import net.sf.geographiclib.Geodesic;
import net.sf.geographiclib.GeodesicData;
import net.sf.geographiclib.GeodesicMask;

/**
 * The centre of a shape, and the radius around it that covers all of the shape, as RFC 7459
 * describes (5.1.1 and 5.2): the centroid, and the distance from it to the farthest point.
 *
 * <ul>
 *   <li>Circle: its own centre and radius. Point: radius 0.
 *   <li>Ellipse: its own centre, the semi-major axis.
 *   <li>Arc: on the bisector of its two radii, at {@code 4 sin(a/2) (o² + o i + i²) / (3 a (o +
 *       i))} from its own centre, {@code a} being the angle between the radii, {@code o} and {@code
 *       i} the outer and the inner radius. Its four corners are the farthest points.
 *   <li>Polygon: the centroid of its area without the holes, in the plane that touches the
 *       ellipsoid at the corners' mean direction. Its corners are the farthest points. If the area
 *       has no such centroid, since it is almost 0 or its boundary crosses itself: the corners'
 *       mean.
 *   <li>Several shapes: the centres' mean, weighted by area, or unweighted if none has an area.
 *       Each counts as its covering circle, a polygon as its corners.
 * </ul>
 *
 * <p>Distances are geodesics on WGS 84. A shape that reaches farther than {@link #MAX_RADIUS} is
 * refused: it says nothing about a device, and the plane no longer stands for the ellipsoid.
 * Nothing here depends on the antimeridian or the poles.
 *
 * @param centre 7 decimals (1 cm), since the last bits of a computed one may differ between
 *     machines, and the position of a record is part of its identity
 * @param radiusMeters 0 or more, to the millimetre if computed; 0: the shape is a point
 */
public record CoveringCircle(Position centre, double radiusMeters) {
  /** Maximum radius in metres. */
  public static final double MAX_RADIUS = 1_000_000;

  private static final double EQUATORIAL_RADIUS = Geodesic.WGS84.EquatorialRadius();
  private static final double ECCENTRICITY_SQUARED =
      Geodesic.WGS84.Flattening() * (2 - Geodesic.WGS84.Flattening());

  /** A smaller area, relative to the square of the perimeter, is 0 but for rounding. */
  private static final double MIN_AREA = 1e-6;

  private static final double DEGREES_ROUNDING = 1e7;
  private static final double METERS_ROUNDING = 1e3;

  /**
   * Returns the circle.
   *
   * @throws InvalidShapeException if the shape is too large
   */
  public static CoveringCircle of(Shape shape) throws InvalidShapeException {
    CoveringCircle circle = weighted(shape).circle;
    if (!(circle.radiusMeters <= MAX_RADIUS)) {
      throw tooLarge();
    }
    return circle;
  }

  /** The circle of a shape, the shape's area in square metres, and the points that it reaches. */
  private record Weighted(CoveringCircle circle, double area, List<Reach> reaches) {}

  /** A point of a shape, and how far the shape reaches around it. */
  private record Reach(Position point, double radius) {}

  private static Weighted weighted(Shape shape) throws InvalidShapeException {
    if (shape instanceof Circle circle) {
      return single(circle.centre(), circle.radius(), Math.PI * square(circle.radius()));
    }
    if (shape instanceof Ellipse ellipse) {
      double area = Math.PI * ellipse.semiMajor() * ellipse.semiMinor();
      return single(ellipse.centre(), ellipse.semiMajor(), area);
    }
    if (shape instanceof Arc arc) {
      CoveringCircle circle = ofArc(arc);
      double area =
          Math.toRadians(arc.included())
              / 2
              * (square(arc.outerRadius()) - square(arc.innerRadius()));
      return single(circle.centre, circle.radiusMeters, area);
    }
    if (shape instanceof Polygon polygon) {
      return ofPolygon(polygon);
    }
    if (shape instanceof Points points) {
      return points.positions().size() == 1
          ? single(points.positions().get(0), 0, 0)
          : ofPoints(points.positions());
    }
    return ofSeveral(((Several) shape).parts());
  }

  private static double square(double value) {
    return value * value;
  }

  private static Weighted single(Position centre, double radius, double area) {
    return new Weighted(
        new CoveringCircle(centre, radius), area, List.of(new Reach(centre, radius)));
  }

  private static CoveringCircle ofArc(Arc arc) {
    double inner = arc.innerRadius();
    double outer = arc.outerRadius();
    if (arc.included() == 360 || outer == 0) {
      return new CoveringCircle(arc.centre(), outer);
    }
    double angle = Math.toRadians(arc.included());
    double distance =
        4
            * StrictMath.sin(angle / 2)
            * (outer * outer + outer * inner + inner * inner)
            / (3 * angle * (outer + inner));
    Position centre = rounded(at(arc.centre(), arc.start() + arc.included() / 2, distance));
    double radius = 0;
    for (double azimuth : new double[] {arc.start(), arc.start() + arc.included()}) {
      radius = Math.max(radius, distance(centre, at(arc.centre(), azimuth, inner)));
      radius = Math.max(radius, distance(centre, at(arc.centre(), azimuth, outer)));
    }
    return new CoveringCircle(centre, roundedMeters(radius));
  }

  private static Weighted ofPolygon(Polygon polygon) throws InvalidShapeException {
    Plane plane = Plane.of(polygon.outer());
    double[] sums = new double[4];
    addArea(plane, polygon.outer(), 1, sums);
    double minArea = MIN_AREA * square(sums[3]);
    double outerArea = sums[0] > minArea ? sums[0] : 0;
    for (List<Position> hole : polygon.holes()) {
      addArea(plane, hole, -1, sums);
    }
    double east = sums[1] / sums[0];
    double north = sums[2] / sums[0];
    List<Reach> reaches = reaches(polygon.outer());
    boolean isInside = sums[0] > minArea && plane.isAmong(polygon.outer(), east, north);
    Position centre = isInside ? plane.position(east, north) : plane.origin;
    return new Weighted(covering(centre, reaches), isInside ? sums[0] : outerArea, reaches);
  }

  /**
   * Adds area, moments and perimeter of a ring, whichever way round it is written.
   *
   * @param sign -1 for a hole
   * @param sums area, its moment in east, its moment in north, perimeter
   */
  private static void addArea(Plane plane, List<Position> ring, int sign, double[] sums) {
    double area = 0;
    double east = 0;
    double north = 0;
    double[] from = plane.eastNorth(ring.get(ring.size() - 1));
    for (Position corner : ring) {
      double[] to = plane.eastNorth(corner);
      double cross = from[0] * to[1] - to[0] * from[1];
      area += cross / 2;
      east += (from[0] + to[0]) * cross / 6;
      north += (from[1] + to[1]) * cross / 6;
      sums[3] += StrictMath.hypot(to[0] - from[0], to[1] - from[1]);
      from = to;
    }
    double factor = Math.signum(area) * sign;
    sums[0] += factor * area;
    sums[1] += factor * east;
    sums[2] += factor * north;
  }

  private static Weighted ofPoints(List<Position> positions) throws InvalidShapeException {
    List<Reach> reaches = reaches(positions);
    return new Weighted(covering(Plane.of(positions).origin, reaches), 0, reaches);
  }

  private static Weighted ofSeveral(List<Shape> parts) throws InvalidShapeException {
    List<Weighted> circles = new ArrayList<>(parts.size());
    double area = 0;
    for (Shape part : parts) {
      Weighted circle = weighted(part);
      circles.add(circle);
      area += circle.area;
    }
    if (circles.size() == 1) {
      return circles.get(0);
    }
    List<Position> centres = circles.stream().map(circle -> circle.circle.centre).toList();
    Plane plane = Plane.of(centres);
    double east = 0;
    double north = 0;
    double weights = 0;
    List<Reach> reaches = new ArrayList<>();
    for (Weighted circle : circles) {
      double weight = area > 0 ? circle.area : 1;
      double[] eastNorth = plane.eastNorth(circle.circle.centre);
      east += weight * eastNorth[0];
      north += weight * eastNorth[1];
      weights += weight;
      reaches.addAll(circle.reaches);
    }
    Position centre = plane.position(east / weights, north / weights);
    return new Weighted(covering(centre, reaches), area, reaches);
  }

  private static List<Reach> reaches(List<Position> positions) {
    return positions.stream().map(position -> new Reach(position, 0)).toList();
  }

  /**
   * A chord c is a geodesic of about c + c³ / (24 r²). With the earth's mean radius for r the
   * difference is less than 1 in 100,000 up to the {@link #MAX_RADIUS}, which is enough to find the
   * farthest point without a geodesic to each.
   */
  private static CoveringCircle covering(Position exactCentre, List<Reach> reaches) {
    Position centre = rounded(exactCentre);
    double[] from = cartesian(centre);
    Reach farthest = reaches.get(0);
    double longest = 0;
    for (Reach reach : reaches) {
      double chord = length(minus(cartesian(reach.point), from));
      double length =
          chord * (1 + square(chord / Position.EARTH_RADIUS_METERS) / 24) + reach.radius;
      if (length > longest) {
        longest = length;
        farthest = reach;
      }
    }
    return new CoveringCircle(
        centre, roundedMeters(distance(centre, farthest.point) + farthest.radius));
  }

  /** Returns the position at that distance, in a direction clockwise from north. */
  static Position at(Position from, double azimuth, double meters) {
    GeodesicData end =
        Geodesic.WGS84.Direct(
            from.lat(),
            from.lon(),
            azimuth,
            meters,
            GeodesicMask.LATITUDE | GeodesicMask.LONGITUDE);
    return new Position(end.lon2, end.lat2);
  }

  private static double distance(Position from, Position to) {
    return Geodesic.WGS84.Inverse(from.lat(), from.lon(), to.lat(), to.lon(), GeodesicMask.DISTANCE)
        .s12;
  }

  /** Returns one of the several names of a position on the antimeridian or at a pole. */
  private static Position rounded(Position position) {
    double lon = Math.rint(position.lon() * DEGREES_ROUNDING) / DEGREES_ROUNDING;
    double lat = Math.rint(position.lat() * DEGREES_ROUNDING) / DEGREES_ROUNDING;
    if (Math.abs(lat) == 90) {
      return new Position(0, lat);
    }
    return new Position(lon == -180 ? 180 : lon, lat);
  }

  /** Returns at least 1 mm for a radius that is not 0. */
  private static double roundedMeters(double meters) {
    return Math.ceil(meters * METERS_ROUNDING) / METERS_ROUNDING;
  }

  private static InvalidShapeException tooLarge() {
    return new InvalidShapeException(
        "expected a shape within " + (long) MAX_RADIUS / 1_000 + " km of its centre");
  }

  /** Returns metres from the earth's centre: towards (0, 0), towards (90 east, 0), north. */
  private static double[] cartesian(Position position) {
    double lat = Math.toRadians(position.lat());
    double lon = Math.toRadians(position.lon());
    double normal =
        EQUATORIAL_RADIUS / Math.sqrt(1 - ECCENTRICITY_SQUARED * square(StrictMath.sin(lat)));
    return new double[] {
      normal * StrictMath.cos(lat) * StrictMath.cos(lon),
      normal * StrictMath.cos(lat) * StrictMath.sin(lon),
      normal * (1 - ECCENTRICITY_SQUARED) * StrictMath.sin(lat)
    };
  }

  private static double[] minus(double[] a, double[] b) {
    return new double[] {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
  }

  private static double dot(double[] a, double[] b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  }

  private static double length(double[] vector) {
    return Math.sqrt(dot(vector, vector));
  }

  /** The plane that touches the ellipsoid at a position, with metres to the east and the north. */
  private static final class Plane {
    private final Position origin;
    private final double[] cartesianOrigin;
    private final double[] east;
    private final double[] north;

    private Plane(Position origin) {
      this.origin = origin;
      cartesianOrigin = cartesian(origin);
      double lat = Math.toRadians(origin.lat());
      double lon = Math.toRadians(origin.lon());
      east = new double[] {-StrictMath.sin(lon), StrictMath.cos(lon), 0};
      north =
          new double[] {
            -StrictMath.sin(lat) * StrictMath.cos(lon),
            -StrictMath.sin(lat) * StrictMath.sin(lon),
            StrictMath.cos(lat)
          };
    }

    /**
     * Returns the plane at the mean direction of positions.
     *
     * @throws InvalidShapeException if one is farther than {@link #MAX_RADIUS} from there
     */
    static Plane of(List<Position> positions) throws InvalidShapeException {
      double[] sum = new double[3];
      for (Position position : positions) {
        double[] vector = cartesian(position);
        for (int i = 0; i < sum.length; i++) {
          sum[i] += vector[i] / positions.size();
        }
      }
      double equatorial = StrictMath.hypot(sum[0], sum[1]);
      double lat =
          Math.toDegrees(StrictMath.atan2(sum[2], (1 - ECCENTRICITY_SQUARED) * equatorial));
      double lon = Math.toDegrees(StrictMath.atan2(sum[1], sum[0]));
      Plane plane = new Plane(new Position(lon, lat));
      for (Position position : positions) {
        if (length(minus(cartesian(position), plane.cartesianOrigin)) > MAX_RADIUS) {
          throw tooLarge();
        }
      }
      return plane;
    }

    double[] eastNorth(Position position) {
      double[] vector = minus(cartesian(position), cartesianOrigin);
      return new double[] {dot(vector, east), dot(vector, north)};
    }

    Position position(double eastMeters, double northMeters) {
      double azimuth = Math.toDegrees(StrictMath.atan2(eastMeters, northMeters));
      return at(origin, azimuth, StrictMath.hypot(eastMeters, northMeters));
    }

    /** Returns true if the point is within the box around the corners. */
    boolean isAmong(List<Position> corners, double eastMeters, double northMeters) {
      double[] min = {Double.MAX_VALUE, Double.MAX_VALUE};
      double[] max = {-Double.MAX_VALUE, -Double.MAX_VALUE};
      for (Position corner : corners) {
        double[] eastNorth = eastNorth(corner);
        for (int i = 0; i < 2; i++) {
          min[i] = Math.min(min[i], eastNorth[i]);
          max[i] = Math.max(max[i], eastNorth[i]);
        }
      }
      return eastMeters >= min[0]
          && eastMeters <= max[0]
          && northMeters >= min[1]
          && northMeters <= max[1];
    }
  }
}
