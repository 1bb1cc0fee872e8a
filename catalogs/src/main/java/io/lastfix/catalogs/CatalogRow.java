package io.lastfix.catalogs;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.Objects;

/**
 * One row of a catalogue file: where a tower stood at a moment.
 *
 * @param cell the cell, with its area
 * @param radio the radio it sends on
 * @param position where
 * @param updatedMillis when that was found out, in milliseconds since 1970-01-01T00:00:00Z
 */
public record CatalogRow(CellId cell, Radio radio, Position position, long updatedMillis) {
  public CatalogRow {
    Objects.requireNonNull(radio, "radio");
    Objects.requireNonNull(position, "position");
    if (!cell.hasArea()) {
      throw new IllegalArgumentException("cell: expected an area in a catalogue row");
    }
  }
}
