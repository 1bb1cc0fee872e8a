package io.lastfix.cli.push;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.Objects;

/** A cell that devices can be heard by, and where it stands. */
public record KnownCell(CellId cell, Radio radio, Position position) {
  public KnownCell {
    Objects.requireNonNull(cell, "cell");
    Objects.requireNonNull(radio, "radio");
    Objects.requireNonNull(position, "position");
  }
}
