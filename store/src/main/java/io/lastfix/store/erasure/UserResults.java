package io.lastfix.store.erasure;

import com.mongodb.client.model.Filters;
import io.lastfix.model.alert.Alert;
import io.lastfix.store.counts.NumberCollections;
import java.time.Duration;
import java.time.Instant;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * Results of one kind that name users.
 *
 * @param collections of the results
 * @param reach how long after an instant a result can begin that tells of the time before it: a
 *     trip names the place of a stay that ended with its begin
 * @param ofAnyTime the filter of those that tell of the time before an erasure, whatever their own
 *     time is; null: there are none
 */
public record UserResults(NumberCollections collections, Duration reach, @Nullable Bson ofAnyTime) {
  /** Results whose own time decides. */
  public UserResults(NumberCollections collections, Duration reach) {
    this(collections, reach, null);
  }

  /**
   * Alerts. One about a changed fence has the time of the change, by the clock of the operator who
   * made it. That may be ahead, and the alert tells of a position from before.
   */
  public static UserResults ofAlerts(NumberCollections collections) {
    return new UserResults(
        collections, Duration.ZERO, Filters.eq("cause", Alert.Cause.FENCE_CHANGED.text()));
  }

  /** Returns the filter of those that tell of the time up to an instant. */
  Bson upTo(Instant until) {
    Bson upTo = collections.upTo(until.plus(reach));
    return ofAnyTime == null ? upTo : Filters.or(upTo, ofAnyTime);
  }
}
