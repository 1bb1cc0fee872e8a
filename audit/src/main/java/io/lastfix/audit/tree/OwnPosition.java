package io.lastfix.audit.tree;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A position that a record itself states.
 *
 * @param lon WGS 84, in degrees, without -0.0
 * @param lat the same
 * @param source {@code gnss}, {@code network} or {@code mlp}
 * @param accuracyMeters the radius that holds the true position with 95 %; null if unknown
 * @param altitudeMeters null if unknown
 * @param shape the area as the text of a GeoJSON geometry; null if none is kept
 */
public record OwnPosition(
    double lon,
    double lat,
    String source,
    @Nullable Double accuracyMeters,
    @Nullable Double altitudeMeters,
    @Nullable String shape) {

  /**
   * What distinguishes records of one user, time and cell: {@code @}, the source, and the bits of
   * both coordinates in hexadecimal digits.
   */
  public String identity() {
    return identity(source, lon, lat);
  }

  /** Returns the identity of a stored position. */
  public static String identity(String source, double lon, double lat) {
    return String.format(
        Locale.ROOT,
        "@%s,%016x,%016x",
        source,
        Double.doubleToLongBits(lon),
        Double.doubleToLongBits(lat));
  }
}
