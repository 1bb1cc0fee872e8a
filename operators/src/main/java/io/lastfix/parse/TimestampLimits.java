package io.lastfix.parse;

import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * Which times of a record are believed. A time too far ahead would be the newest one of its user
 * for ever; old times are fine, since old data is replayed.
 *
 * @param maxAhead how far a record may be ahead of the clock, 0 or more; default 5 minutes
 * @param floor no record is older than this; default 2000-01-01T00:00:00Z, which catches clocks
 *     that were never set
 */
public record TimestampLimits(Duration maxAhead, Instant floor) implements Serializable {
  public TimestampLimits {
    Objects.requireNonNull(floor, "floor");
    if (maxAhead.isNegative()) {
      throw new IllegalArgumentException("maxAhead: expected 0 or more, found " + maxAhead);
    }
  }

  /** The defaults named above. */
  public static TimestampLimits defaults() {
    return new TimestampLimits(Duration.ofMinutes(5), Instant.parse("2000-01-01T00:00:00Z"));
  }
}
