package io.lastfix.model;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * What the catalogue knows of one cell on one radio: its positions over time.
 *
 * @param radio the radio it sends on
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
            "versions: expected to ascend by the time they hold from");
      }
    }
  }

  /**
   * Where it stood at that moment: the newest version not after it, or the earliest where it
   * precedes all.
   */
  public Position positionAt(long timestampMillis) {
    int i = versions.size() - 1;
    while (i > 0 && versions.get(i).validFromMillis() > timestampMillis) {
      i--;
    }
    return versions.get(i).position();
  }
}
