package io.lastfix.locate;

import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;
import io.lastfix.model.Position;

/** Judges whether a record's own position and its cell's can both be right. */
final class Distances {
  /**
   * What is allowed beyond the accuracy and the cell's range, in metres: catalogues give the range
   * of what was heard so far, and the accuracy holds for 95 % of the positions only.
   */
  static final double SLACK_METERS = 5_000;

  /** Mean radius of the earth (IUGG), in metres. */
  private static final double EARTH_RADIUS_METERS = 6_371_009;

  private Distances() {}

  /**
   * Returns true if the two lie farther apart than the accuracy, the cell's range and 5 km
   * together; an unknown accuracy counts as 0. False if the cell's range is unknown, as in state of
   * former releases: a rural cell is heard 30 km away.
   */
  static boolean isFar(Fix fix, CellVersion cell) {
    if (cell.rangeMeters() == 0) {
      return false;
    }
    Double accuracy = fix.accuracyMeters();
    return meters(fix.position(), cell.position())
        > (accuracy == null ? 0 : accuracy) + cell.rangeMeters() + SLACK_METERS;
  }

  /** Returns the distance on a sphere by the haversine formula, in metres; right within 0.6 %. */
  static double meters(Position a, Position b) {
    double latitude = Math.toRadians(b.lat() - a.lat());
    double longitude = Math.toRadians(b.lon() - a.lon());
    double chord =
        square(Math.sin(latitude / 2))
            + Math.cos(Math.toRadians(a.lat()))
                * Math.cos(Math.toRadians(b.lat()))
                * square(Math.sin(longitude / 2));
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
  }

  private static double square(double value) {
    return value * value;
  }
}
