package io.lastfix.model;

import java.io.Serializable;
import java.util.List;
import java.util.Objects;

/**
 * The complete catalogue entry of one cell id: one message of the topic {@code lastfix.cells}.
 *
 * <p>An entry replaces the cell's known entry, unless the known entry has a greater revision.
 * Because entries are complete, a compacted topic can store a catalogue with versions: it keeps
 * only the newest message of each key.
 *
 * @param cell the cell, with its area
 * @param towers one tower per radio, since the four codes together repeat across radios; no radio
 *     twice; empty: the entry removes the cell from the catalogue
 * @param revision decides which entry of the cell wins: the greatest revision
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

  /** Creates an entry of unknown revision. Among such entries the last to arrive wins. */
  public CellEntry(CellId cell, List<Tower> towers) {
    this(cell, towers, Revision.OLDEST);
  }

  /** Returns a copy with another revision. */
  public CellEntry withRevision(Revision other) {
    return new CellEntry(cell, towers, other);
  }
}
