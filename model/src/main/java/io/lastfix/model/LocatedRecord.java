package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LocationRecord} after the join with the cell catalogue: what the sinks store.
 *
 * @param user the device or subscriber, not empty
 * @param cell the cell as the record named it, never completed from the catalogue, so that what is
 *     stored does not depend on when the catalogue arrived
 * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z, by the record's own clock
 * @param position where the cell stood at that moment; null where the cell stayed unknown
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

  /** Whether the cell was known. Only such records reach Last Known Location. */
  public boolean isLocated() {
    return position != null;
  }
}
