package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One sighting of a device, as it came in: this user was heard by this cell at this moment.
 *
 * @param user the device or subscriber, not empty; what Last Known Location is kept by
 * @param cell the cell as the record named it, with or without area
 * @param radio narrows the cell where (mcc, mnc, area, cid) stands for several towers; null where
 *     the record does not say
 * @param timestampMillis when it was heard, in milliseconds since 1970-01-01T00:00:00Z, by the
 *     record's own clock
 */
public record LocationRecord(String user, CellId cell, @Nullable Radio radio, long timestampMillis)
    implements Serializable {
  public LocationRecord {
    Objects.requireNonNull(cell, "cell");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user: expected a text, found nothing");
    }
  }

  /** The same sighting under another name. */
  public LocationRecord withUser(String otherUser) {
    return new LocationRecord(otherUser, cell, radio, timestampMillis);
  }

  /** This sighting at that place; null where the cell stayed unknown. */
  public LocatedRecord at(@Nullable Position position) {
    return new LocatedRecord(user, cell, timestampMillis, position);
  }
}
