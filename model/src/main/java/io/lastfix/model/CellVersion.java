package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * The position of a tower from an instant until its next version.
 *
 * @param validFromMillis start, in milliseconds since 1970-01-01T00:00:00Z; the earliest version of
 *     a tower is also valid for all time before it
 * @param position the tower's position
 */
public record CellVersion(long validFromMillis, Position position) implements Serializable {
  public CellVersion {
    Objects.requireNonNull(position, "position");
  }
}
