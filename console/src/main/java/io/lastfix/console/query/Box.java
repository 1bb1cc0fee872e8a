package io.lastfix.console.query;

import io.lastfix.model.Position;
import io.lastfix.store.query.Grid;
import io.lastfix.store.query.Polygon;
import java.util.ArrayList;
import java.util.List;

/**
 * An area between two meridians and two parallels.
 *
 * <p>MongoDB's polygons have edges along great circles, which leave the parallels. The polygons of
 * a box are therefore somewhat larger than it, and {@link #contains} decides.
 *
 * @param west longitude, -180 to 180
 * @param south latitude, -90 to 90
 * @param east longitude, -180 to 180; less than {@code west} if the box crosses the 180th meridian
 * @param north latitude, more than {@code south}
 */
public record Box(double west, double south, double east, double north) {
  private static final double HALF_TURN = 180;
  private static final double QUARTER_TURN = 90;

  /** Less than a hemisphere, of whose two parts MongoDB takes the smaller. */
  private static final double WIDEST = 120;

  private static final int SEGMENTS = 64;

  /** A ring may not pass through a pole, which has one position for all longitudes. */
  private static final double HIGHEST = 89.999_999;

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if they are none of a box; says what was expected
   */
  public Box {
    if (!(Math.abs(west) <= HALF_TURN && Math.abs(east) <= HALF_TURN)) {
      throw new IllegalArgumentException("bbox: expected longitudes from -180 to 180");
    }
    if (!(Math.abs(south) <= QUARTER_TURN && Math.abs(north) <= QUARTER_TURN)) {
      throw new IllegalArgumentException("bbox: expected latitudes from -90 to 90");
    }
    if (!(south < north)) {
      throw new IllegalArgumentException("bbox: expected south less than north");
    }
    // Both names of the 180th meridian are one.
    if (west == east || (west == HALF_TURN && east == -HALF_TURN)) {
      throw new IllegalArgumentException("bbox: expected west other than east");
    }
  }

  /** Whether a position is in the box; its edges belong to it. */
  public boolean contains(Position position) {
    boolean isBetweenMeridians =
        west < east
            ? position.lon() >= west && position.lon() <= east
            : position.lon() >= west || position.lon() <= east;
    return isBetweenMeridians && position.lat() >= south && position.lat() <= north;
  }

  private double width() {
    return east > west ? east - west : east - west + 2 * HALF_TURN;
  }

  /** The box in columns and rows. */
  public Grid grid(int columns, int rows) {
    return new Grid(west, south, width(), north - south, columns, rows);
  }

  /** Polygons that together cover the box. */
  public List<Polygon> polygons() {
    double width = width();
    int parts = (int) Math.ceil(width / WIDEST);
    List<Polygon> polygons = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      polygons.add(polygon(west + width * part / parts, width / parts));
    }
    return polygons;
  }

  private Polygon polygon(double first, double width) {
    double step = width / SEGMENTS;
    double margin = leaves(step);
    double low = Math.max(-HIGHEST, south - margin);
    double high = Math.min(HIGHEST, north + margin);
    List<Position> ring = new ArrayList<>();
    for (int i = 0; i <= SEGMENTS; i++) {
      ring.add(new Position(normal(first + i * step), low));
    }
    for (int i = SEGMENTS; i >= 0; i--) {
      ring.add(new Position(normal(first + i * step), high));
    }
    ring.add(ring.get(0));
    return Polygon.ofOutline(ring);
  }

  /**
   * How far a great circle leaves the parallel between two positions on it, in degrees at most: an
   * eighth of the square of the step, times the sine and the cosine of the latitude, which is half
   * at most. Twice that, and a little for rounding.
   */
  private static double leaves(double step) {
    double radians = Math.toRadians(step);
    return Math.toDegrees(radians * radians / 8) + 1e-9;
  }

  private static double normal(double longitude) {
    return longitude > HALF_TURN ? longitude - 2 * HALF_TURN : longitude;
  }
}
