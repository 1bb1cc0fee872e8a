package io.lastfix.audit.stored;

/** The position of a tower or in a document: WGS 84, in degrees. */
public record Place(double lon, double lat) {
  /** Mean radius of the earth, in metres. */
  private static final double EARTH_RADIUS_METERS = 6_371_000;

  /** The distance on a sphere, by the angle between the vectors to both places. */
  public double metersTo(Place other) {
    double[] a = vector();
    double[] b = other.vector();
    double cross =
        Math.hypot(
            Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2]),
            a[0] * b[1] - a[1] * b[0]);
    return EARTH_RADIUS_METERS * Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
  }

  private double[] vector() {
    double east = Math.toRadians(lon);
    double north = Math.toRadians(lat);
    return new double[] {
      Math.cos(north) * Math.cos(east), Math.cos(north) * Math.sin(east), Math.sin(north)
    };
  }
}
