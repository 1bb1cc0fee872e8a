package io.lastfix.catalogs;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;

/**
 * One row of a catalogue file: the position of a tower at an instant.
 *
 * @param cell the cell, with its area
 * @param radio the cell's radio access technology
 * @param position the tower's position
 * @param rangeMeters the radius in which the cell was heard, in metres; 0 if unknown
 * @param updatedMillis instant of the observation, in milliseconds since 1970-01-01T00:00:00Z
 */
public record CatalogRow(
    CellId cell, Radio radio, Position position, int rangeMeters, long updatedMillis) {
  public CatalogRow {
    if (!cell.hasArea()) {
      throw new IllegalArgumentException("cell: expected an area in a catalogue row");
    }
  }
}
