package io.lastfix.model;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The positions of one cell on one radio over time.
 *
 * @param radio the tower's radio access technology
 * @param versions at least one, ascending and distinct by {@link CellVersion#validFromMillis()}
 */
public record Tower(Radio radio, List<CellVersion> versions) implements Serializable {
  public Tower {
    Objects.requireNonNull(radio, "radio");
    versions = List.copyOf(versions);
    if (versions.isEmpty()) {
      throw new IllegalArgumentException("versions: expected at least one");
    }
    for (int i = 1; i < versions.size(); i++) {
      if (versions.get(i - 1).validFromMillis() >= versions.get(i).validFromMillis()) {
        throw new IllegalArgumentException(
            "versions: expected in ascending order of the time from which they are valid");
      }
    }
  }

  /**
   * Returns the tower without the versions whose {@link Position#marksUnknown() position marks an
   * unknown one}; null if no version is left.
   */
  public @Nullable Tower positioned() {
    for (CellVersion version : versions) {
      if (version.position().marksUnknown()) {
        List<CellVersion> known =
            versions.stream().filter(other -> !other.position().marksUnknown()).toList();
        return known.isEmpty() ? null : new Tower(radio, known);
      }
    }
    return this;
  }

  /**
   * Returns the version valid at that instant: the newest one not after it. If the instant precedes
   * all versions, the earliest version applies.
   */
  public CellVersion versionAt(long timestampMillis) {
    int i = versions.size() - 1;
    while (i > 0 && versions.get(i).validFromMillis() > timestampMillis) {
      i--;
    }
    return versions.get(i);
  }
}
