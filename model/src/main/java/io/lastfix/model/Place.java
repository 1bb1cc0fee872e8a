package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Where a record says that its device was: at a cell, at a position of its own, or both. */
public sealed interface Place extends Serializable {

  /** Returns the cell as the record named it; null if it named none. */
  @Nullable CellId cell();

  /** Returns the radio of the cell; null if the record did not name it, or has no cell. */
  @Nullable Radio radio();

  /** Returns the record's own position; null if it has none. */
  @Nullable Fix fix();

  /** Returns the place of these parts; at least one of cell and fix must be given. */
  static Place of(@Nullable CellId cell, @Nullable Radio radio, @Nullable Fix fix) {
    if (cell == null) {
      return new AtFix(Objects.requireNonNull(fix, "place: expected a cell or a position"));
    }
    return fix == null ? new AtCell(cell, radio) : new AtFixAndCell(fix, cell, radio);
  }

  /**
   * A cell, whose position the catalogue knows.
   *
   * @param cell with or without area
   * @param radio selects the tower if (mcc, mnc, area, cid) stands for several; null if not given
   */
  record AtCell(CellId cell, @Nullable Radio radio) implements Place {
    public AtCell {
      Objects.requireNonNull(cell, "cell");
    }

    @Override
    public @Nullable Fix fix() {
      return null;
    }
  }

  /**
   * A position of the record's own.
   *
   * @param fix the position
   */
  record AtFix(Fix fix) implements Place {
    public AtFix {
      Objects.requireNonNull(fix, "fix");
    }

    @Override
    public @Nullable CellId cell() {
      return null;
    }

    @Override
    public @Nullable Radio radio() {
      return null;
    }
  }

  /**
   * A position of the record's own, which is the place, and the cell beside it.
   *
   * @param fix the position
   * @param cell with or without area
   * @param radio null if not given
   */
  record AtFixAndCell(Fix fix, CellId cell, @Nullable Radio radio) implements Place {
    public AtFixAndCell {
      Objects.requireNonNull(fix, "fix");
      Objects.requireNonNull(cell, "cell");
    }
  }
}
