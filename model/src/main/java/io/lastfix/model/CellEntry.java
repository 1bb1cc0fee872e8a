package io.lastfix.model;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * All that the catalogue knows of one cell id: one message of the topic {@code lastfix.cells}.
 *
 * <p>An entry is complete: it replaces what was known of its cell before, unless that has a greater
 * revision. That is what makes a compacted topic, which keeps just the newest message of each key,
 * a durable home for a catalogue with versions.
 *
 * @param cell the cell, with its area
 * @param towers one for each radio the id is used on (the four codes together repeat across
 *     radios), no radio twice; empty: the cell is taken out of the catalogue
 * @param revision decides which entry of the cell counts: the greatest
 */
public record CellEntry(CellId cell, List<Tower> towers, Revision revision)
    implements Serializable {
  public CellEntry {
    Objects.requireNonNull(cell, "cell");
    Objects.requireNonNull(revision, "revision");
    if (!cell.hasArea()) {
      throw new IllegalArgumentException("cell: expected an area in a catalogue entry");
    }
    towers = List.copyOf(towers);
    if (towers.stream().map(Tower::radio).distinct().count() != towers.size()) {
      throw new IllegalArgumentException("towers: expected each radio once");
    }
  }

  /** An entry whose revision is not known: among such entries the last to arrive counts. */
  public CellEntry(CellId cell, List<Tower> towers) {
    this(cell, towers, Revision.OLDEST);
  }

  /** The same with another revision. */
  public CellEntry withRevision(Revision other) {
    return new CellEntry(cell, towers, other);
  }
}
