package io.lastfix.parse.shape;

/**
 * Converts a radius that contains the true position with one probability to the radius for 95 %.
 *
 * <p>Errors to the east and to the north are taken as independent and normally distributed with the
 * same deviation σ, so the distance from the true position has a Rayleigh distribution: {@code P(d
 * <= r) = 1 - exp(-r² / (2 σ²))}. The radius for a probability p is {@code σ sqrt(-2 ln(1 - p))},
 * and that for 95 % is {@code sqrt(ln 0.05 / ln(1 - p))} times as long: 1.62 for Android's 68 %.
 */
public final class Confidence {
  /** The percentage at which accuracies are stored. */
  public static final double STORED_PERCENT = 95;

  private static final double METERS_ROUNDING = 1e3;

  private Confidence() {}

  /**
   * Returns the radius for 95 %, to the millimetre if it differs. A radius for 100 % stays as it
   * is: no distance has that probability, so it is the format's word for a bound.
   *
   * @param percent more than 0 to 100
   */
  public static double radiusOf95(double radius, double percent) {
    if (percent == STORED_PERCENT || percent >= 100) {
      return radius;
    }
    double factor = Math.sqrt(Math.log(1 - STORED_PERCENT / 100) / Math.log1p(-percent / 100));
    return Math.ceil(radius * factor * METERS_ROUNDING) / METERS_ROUNDING;
  }
}
