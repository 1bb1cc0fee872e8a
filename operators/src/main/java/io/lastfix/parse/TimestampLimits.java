package io.lastfix.parse;

import io.lastfix.store.history.HistoryRetention;
import java.io.Serializable;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The accepted timestamps of records. A timestamp too far ahead would remain its user's newest
 * until that time. Old timestamps are valid as far as History keeps them, since old data is
 * replayed.
 *
 * @param maxAhead how far a record may be ahead of the clock, 0 or more; default 5 minutes
 * @param floor the earliest accepted timestamp; default 2000-01-01T00:00:00Z, which catches clocks
 *     that were never set
 * @param retention retention of History; records of expired partitions are rejected; null, the
 *     default: unlimited
 */
public record TimestampLimits(
    Duration maxAhead, Instant floor, @Nullable HistoryRetention retention)
    implements Serializable {
  /** Creates limits for History without a retention. */
  public TimestampLimits(Duration maxAhead, Instant floor) {
    this(maxAhead, floor, null);
  }
}
