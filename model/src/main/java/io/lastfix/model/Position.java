package io.lastfix.model;

import java.io.Serializable;

/**
 * A position on the earth, WGS 84, in degrees, longitude first as in GeoJSON and MongoDB.
 *
 * @param lon longitude, -180 to 180
 * @param lat latitude, -90 to 90
 */
public record Position(double lon, double lat) implements Serializable {
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
}
