package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.Position;
import java.util.List;

/**
 * Names the cell of a cab: that of the nearest tower.
 *
 * <p>If no tower is within {@link #REACH_METERS}, the catalogue does not contain the cell, so a
 * record without a position of its own has no coordinates. Such cells have the area {@link
 * #UNKNOWN_AREA}; there is one for each square of 0.05 degrees.
 */
final class TaxiCells {
  /** A cab further than this from every tower gets a cell that the catalogue lacks. */
  static final double REACH_METERS = 2_000;

  /** The area of the cells that the catalogue lacks: the largest that a network may use. */
  static final int UNKNOWN_AREA = 65_533;

  private static final int UNKNOWN_SQUARES_PER_DEGREE = 20;

  private final List<CellSite> cells;
  private final NearestCells nearest;

  /**
   * @param cells the towers, at least one
   */
  TaxiCells(List<CellSite> cells) {
    this.cells = List.copyOf(cells);
    nearest = new NearestCells(this.cells.stream().map(CellSite::position).toList());
  }

  CellId at(Position place) {
    CellSite nearestCell = cells.get(nearest.nearest(place, 1)[0]);
    if (place.metersTo(nearestCell.position()) <= REACH_METERS) {
      return nearestCell.cell();
    }
    long row = (long) Math.floor((place.lat() + 90) * UNKNOWN_SQUARES_PER_DEGREE);
    long column = (long) Math.floor((place.lon() + 180) * UNKNOWN_SQUARES_PER_DEGREE);
    long squaresInRow = 360L * UNKNOWN_SQUARES_PER_DEGREE + 1;
    return new CellId(
        nearestCell.cell().mcc(),
        nearestCell.cell().mnc(),
        UNKNOWN_AREA,
        row * squaresInRow + column);
  }
}
