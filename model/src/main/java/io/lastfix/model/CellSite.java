package io.lastfix.model;

import java.util.Objects;

/** A cell that devices connect to, and its position. */
public record CellSite(CellId cell, Radio radio, Position position) {
  public CellSite {
    Objects.requireNonNull(cell, "cell");
    Objects.requireNonNull(radio, "radio");
    Objects.requireNonNull(position, "position");
  }
}
