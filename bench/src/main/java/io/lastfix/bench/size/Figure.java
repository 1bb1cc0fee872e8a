package io.lastfix.bench.size;

import org.jspecify.annotations.Nullable;

/**
 * A number that a size is computed from. It is measured, assumed or set on the command line.
 *
 * @param what it says, with its unit
 * @param value 0 or more
 * @param measured the file with the measurement, relative to the repository; null: not measured
 * @param assumed why this value; null: not assumed
 */
public record Figure(
    String what, double value, @Nullable String measured, @Nullable String assumed) {
  public Figure {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException("expected a number of 0 or more, found " + value);
    }
    if (measured != null && assumed != null) {
      throw new IllegalArgumentException("expected either measured or assumed, found both");
    }
  }

  /** Returns this figure with the user's own value. */
  Figure set(double own) {
    return new Figure(what, own, null, null);
  }

  /** Whether the user has set it. */
  boolean isSet() {
    return measured == null && assumed == null;
  }
}
