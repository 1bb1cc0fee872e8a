package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One sighting of a device before the join: the user, the cell and the timestamp.
 *
 * @param user the device or subscriber, not empty; the key of Last Known Location
 * @param cell the cell as the record named it, with or without area
 * @param radio selects the tower if (mcc, mnc, area, cid) stands for several towers; null if the
 *     record does not name it
 * @param timestampMillis the record's own timestamp, in milliseconds since 1970-01-01T00:00:00Z
 */
public record LocationRecord(String user, CellId cell, @Nullable Radio radio, long timestampMillis)
    implements Serializable {
  public LocationRecord {
    Objects.requireNonNull(cell, "cell");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user: expected a text, found nothing");
    }
  }

  /** Returns a copy with another user name. */
  public LocationRecord withUser(String otherUser) {
    return new LocationRecord(otherUser, cell, radio, timestampMillis);
  }

  /** Returns the located record; the position is null if the cell is unknown. */
  public LocatedRecord at(@Nullable Position position) {
    return new LocatedRecord(user, cell, timestampMillis, position);
  }
}
