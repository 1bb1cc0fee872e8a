package io.lastfix.model;

import java.io.Serializable;

/**
 * A position on the earth, WGS 84, in degrees, longitude first as in GeoJSON and MongoDB.
 *
 * @param lon longitude, -180 to 180
 * @param lat latitude, -90 to 90
 */
public record Position(double lon, double lat) implements Serializable {
  /** Mean radius of the earth (IUGG), in metres. */
  public static final double EARTH_RADIUS_METERS = 6_371_008.8;

  /**
   * Checks the ranges and converts -0.0 to 0.0, so that equal positions have equal bytes.
   *
   * @throws IllegalArgumentException if a value is out of range or not a number
   */
  public Position {
    if (!(lon >= -180 && lon <= 180)) {
      throw new IllegalArgumentException("lon: expected -180 to 180, found " + lon);
    }
    if (!(lat >= -90 && lat <= 90)) {
      throw new IllegalArgumentException("lat: expected -90 to 90, found " + lat);
    }
    lon += 0.0;
    lat += 0.0;
  }

  /**
   * Returns true at exactly (0, 0). Receivers and catalogues write that for a position that they do
   * not have, and no land is there.
   */
  public boolean marksUnknown() {
    return lon == 0 && lat == 0;
  }

  /**
   * Returns the distance on a sphere by the haversine formula, in metres. It is exact for small
   * distances, and within 0.6 % of the distance on the ellipsoid for all.
   */
  public double metersTo(Position other) {
    double latitude = Math.toRadians(other.lat - lat);
    double longitude = Math.toRadians(other.lon - lon);
    double chord =
        square(Math.sin(latitude / 2))
            + Math.cos(Math.toRadians(lat))
                * Math.cos(Math.toRadians(other.lat))
                * square(Math.sin(longitude / 2));
    return 2 * EARTH_RADIUS_METERS * Math.asin(Math.min(1, Math.sqrt(chord)));
  }

  private static double square(double value) {
    return value * value;
  }
}
