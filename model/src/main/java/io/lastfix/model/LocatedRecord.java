package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LocationRecord} after the join with the cell catalogue; the sinks store it.
 *
 * @param user the device or subscriber, not empty
 * @param cell the cell as the record named it. The join never completes it from the catalogue, so
 *     the stored cell does not depend on when the catalogue arrived
 * @param timestampMillis the record's own timestamp, in milliseconds since 1970-01-01T00:00:00Z
 * @param position the cell's position at that timestamp; null if the cell is unknown
 */
public record LocatedRecord(
    String user, CellId cell, long timestampMillis, @Nullable Position position)
    implements Serializable {
  public LocatedRecord {
    Objects.requireNonNull(cell, "cell");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user: expected a text, found nothing");
    }
  }

  /** Returns true if the cell is known. Only such records reach Last Known Location. */
  public boolean isLocated() {
    return position != null;
  }
}
