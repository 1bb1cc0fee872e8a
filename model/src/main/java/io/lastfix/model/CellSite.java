package io.lastfix.model;

import java.util.Objects;

/** A cell that devices can be heard by, and where it stands. */
public record CellSite(CellId cell, Radio radio, Position position) {
  public CellSite {
    Objects.requireNonNull(cell, "cell");
    Objects.requireNonNull(radio, "radio");
    Objects.requireNonNull(position, "position");
  }
}
