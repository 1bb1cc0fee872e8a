package io.lastfix.parse;

import io.lastfix.store.history.HistoryRetention;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which times of a record are believed. A time too far ahead would be the newest one of its user
 * for ever; old times are fine, since old data is replayed, as far as History keeps them.
 *
 * @param maxAhead how far a record may be ahead of the clock, 0 or more; default 5 minutes
 * @param floor no record is older than this; default 2000-01-01T00:00:00Z, which catches clocks
 *     that were never set
 * @param retention no record is of a partition that is expired by this; null, the default: History
 *     is kept for ever
 */
public record TimestampLimits(
    Duration maxAhead, Instant floor, @Nullable HistoryRetention retention)
    implements Serializable {
  public TimestampLimits {
    Objects.requireNonNull(floor, "floor");
    if (maxAhead.isNegative()) {
      throw new IllegalArgumentException("maxAhead: expected 0 or more, found " + maxAhead);
    }
  }

  /** For History that is kept for ever. */
  public TimestampLimits(Duration maxAhead, Instant floor) {
    this(maxAhead, floor, null);
  }

  /** The defaults named above. */
  public static TimestampLimits defaults() {
    return new TimestampLimits(Duration.ofMinutes(5), Instant.parse("2000-01-01T00:00:00Z"));
  }
}
