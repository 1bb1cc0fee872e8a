package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * The position of a tower from an instant until its next version.
 *
 * @param validFromMillis start, in milliseconds since 1970-01-01T00:00:00Z; the earliest version of
 *     a tower is also valid for all time before it
 * @param position the tower's position
 * @param rangeMeters the radius around the position in which the cell is heard, in metres; 0 if
 *     unknown
 */
public record CellVersion(long validFromMillis, Position position, int rangeMeters)
    implements Serializable {
  public CellVersion {
    Objects.requireNonNull(position, "position");
    if (rangeMeters < 0) {
      throw new IllegalArgumentException("range: expected metres, 0 or more, found " + rangeMeters);
    }
  }

  /** Creates a version of unknown range. */
  public CellVersion(long validFromMillis, Position position) {
    this(validFromMillis, position, 0);
  }
}
