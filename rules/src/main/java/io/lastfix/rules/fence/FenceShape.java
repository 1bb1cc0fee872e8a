package io.lastfix.rules.fence;

import com.google.common.geometry.S1Angle;
import com.google.common.geometry.S2Cap;
import com.google.common.geometry.S2Error;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2Loop;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2Polygon;
import com.google.common.geometry.S2Region;
import io.lastfix.model.Position;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/** A fence's geometry on a sphere. */
public final class FenceShape {
  /** So that an edge has one shortest line, and a fence one inside. */
  private static final double LONGEST_EDGE_METERS = 5_000_000;

  /** 1 m² in steradians: a ring with its corners on one line has an area of about 0. */
  private static final double LEAST_AREA =
      1 / (Position.EARTH_RADIUS_METERS * Position.EARTH_RADIUS_METERS);

  private static final int SHARE_POINTS = 64;

  /** Turns each of the points by this angle against the one before, so no two are near. */
  private static final double GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

  private final Fence fence;

  /** A cap or a polygon. */
  private final S2Region region;

  /**
   * Computes the geometry.
   *
   * @throws IllegalArgumentException if rings are not valid together, or the fence contains a pole
   */
  public FenceShape(Fence fence) {
    this.fence = fence;
    region =
        fence.area() instanceof Fence.Circle circle
            ? S2Cap.fromAxisAngle(point(circle.center()), angle(circle.radiusMeters()))
            : polygon((Fence.Polygons) fence.area());
    if (region.contains(S2Point.Z_POS) || region.contains(S2Point.Z_NEG)) {
      throw new IllegalArgumentException("expected a fence without a pole");
    }
  }

  private static S2Polygon polygon(Fence.Polygons polygons) {
    IdentityHashMap<S2Loop, Ring> rings = new IdentityHashMap<>();
    List<S2Loop> loops = new ArrayList<>();
    for (int i = 0; i < polygons.list().size(); i++) {
      List<List<Position>> all = polygons.list().get(i);
      for (int j = 0; j < all.size(); j++) {
        S2Loop loop = loop(all.get(j));
        loops.add(loop);
        rings.put(loop, new Ring(i, j > 0));
      }
    }
    // It takes the list's content.
    S2Polygon polygon = new S2Polygon(loops);
    S2Error error = new S2Error();
    if (polygon.findValidationError(error)) {
      throw new IllegalArgumentException(
          "expected rings that neither cross nor share an edge: " + error.text());
    }
    for (int i = 0; i < polygon.numLoops(); i++) {
      S2Loop loop = polygon.loop(i);
      Ring ring = rings.get(loop);
      if (loop.getArea() < LEAST_AREA) {
        throw new IllegalArgumentException("expected rings with an area of 1 m² or more");
      }
      if (!ring.isHole() && loop.isHole()) {
        throw new IllegalArgumentException("expected polygons that do not contain each other");
      }
      int parent = polygon.getParent(i);
      Ring around = parent < 0 ? null : rings.get(polygon.loop(parent));
      if (ring.isHole() && !new Ring(ring.polygon(), false).equals(around)) {
        throw new IllegalArgumentException("expected each hole to be in its outline");
      }
    }
    return polygon;
  }

  /**
   * What a ring was written as.
   *
   * @param polygon its index
   * @param isHole else its outline
   */
  private record Ring(int polygon, boolean isHole) {}

  private static S2Loop loop(List<Position> ring) {
    List<S2Point> corners = new ArrayList<>();
    // Without the last, which equals the first.
    for (int i = 0; i + 1 < ring.size(); i++) {
      double edge = ring.get(i).metersTo(ring.get(i + 1));
      if (edge > LONGEST_EDGE_METERS) {
        throw new IllegalArgumentException(
            "expected edges of at most 5,000 km, found one of %.0f km".formatted(edge / 1000));
      }
      corners.add(point(ring.get(i)));
    }
    S2Loop loop = new S2Loop(corners);
    S2Error error = new S2Error();
    if (loop.findValidationErrorNoIndex(error)) {
      throw new IllegalArgumentException("expected a valid ring: " + error.text());
    }
    loop.normalize();
    return loop;
  }

  private static S2Point point(Position position) {
    return S2LatLng.fromDegrees(position.lat(), position.lon()).toPoint();
  }

  private static S1Angle angle(double meters) {
    return S1Angle.radians(meters / Position.EARTH_RADIUS_METERS);
  }

  S2Region region() {
    return region;
  }

  /** Returns the fence. */
  public Fence fence() {
    return fence;
  }

  /** Returns whether the fence contains the position. */
  public boolean contains(Position position) {
    return region.contains(point(position));
  }

  /** Returns the distance from the position to the fence, in metres; 0 in the fence. */
  public double metersTo(Position position) {
    if (region instanceof S2Polygon polygon) {
      return polygon.getDistance(point(position)).radians() * Position.EARTH_RADIUS_METERS;
    }
    Fence.Circle circle = (Fence.Circle) fence.area();
    return Math.max(0, circle.center().metersTo(position) - circle.radiusMeters());
  }

  /**
   * Returns the radius of the circle of which the fence's area is that share, in metres. A larger
   * circle cannot have so great a share in the fence.
   */
  public double radiusMeters(double share) {
    double area = region instanceof S2Polygon polygon ? polygon.getArea() : ((S2Cap) region).area();
    // The area of a circle on the unit sphere is 4π sin²(r/2).
    double sine = Math.sqrt(area / share / (4 * Math.PI));
    return 2 * Math.asin(Math.min(1, sine)) * Position.EARTH_RADIUS_METERS;
  }

  /**
   * Returns the share of a circle that is in the fence, 0 to 1, by 64 fixed points that stand for
   * equal parts of it. If the circle cannot reach the border, that costs no more than its distance.
   */
  public double share(Position center, double radiusMeters) {
    double meters = metersTo(center);
    if (meters > 0 && meters >= radiusMeters) {
      return 0;
    }
    if (fence.area() instanceof Fence.Circle circle
        && circle.center().metersTo(center) + radiusMeters <= circle.radiusMeters()) {
      return 1;
    }
    return shareByPoints(center, radiusMeters);
  }

  private double shareByPoints(Position center, double radiusMeters) {
    S2Point axis = point(center);
    S2Point east = axis.ortho();
    S2Point north = S2Point.crossProd(axis, east);
    int inside = 0;
    for (int i = 0; i < SHARE_POINTS; i++) {
      double distance =
          Math.sqrt((i + 0.5) / SHARE_POINTS) * radiusMeters / Position.EARTH_RADIUS_METERS;
      double direction = i * GOLDEN_ANGLE;
      S2Point away =
          S2Point.add(
              S2Point.mul(east, Math.cos(direction)), S2Point.mul(north, Math.sin(direction)));
      S2Point point =
          S2Point.add(S2Point.mul(axis, Math.cos(distance)), S2Point.mul(away, Math.sin(distance)));
      if (region.contains(S2Point.normalize(point))) {
        inside++;
      }
    }
    return (double) inside / SHARE_POINTS;
  }
}
