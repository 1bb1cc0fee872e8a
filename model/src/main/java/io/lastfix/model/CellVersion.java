package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;

/**
 * Where a tower stood from a moment on, until its next version.
 *
 * @param validFromMillis milliseconds since 1970-01-01T00:00:00Z; the earliest version of a tower
 *     also holds for all time before it
 * @param position where
 */
public record CellVersion(long validFromMillis, Position position) implements Serializable {
  public CellVersion {
    Objects.requireNonNull(position, "position");
  }
}
