package io.lastfix.locate;

import io.lastfix.model.CellVersion;
import io.lastfix.model.Fix;

/** Judges whether a record's own position and its cell's can both be right. */
final class Distances {
  /**
   * What is allowed beyond the accuracy and the cell's range, in metres: catalogues give the range
   * of what was heard so far, and the accuracy holds for 95 % of the positions only.
   */
  static final double SLACK_METERS = 5_000;

  private Distances() {}

  /**
   * Returns true if the two lie farther apart than the accuracy, the cell's range and 5 km
   * together; an unknown accuracy counts as 0. False if the cell's range is unknown: a rural cell
   * is heard 30 km away.
   */
  static boolean isFar(Fix fix, CellVersion cell) {
    if (cell.rangeMeters() == 0) {
      return false;
    }
    Double accuracy = fix.accuracyMeters();
    return fix.position().metersTo(cell.position())
        > (accuracy == null ? 0 : accuracy) + cell.rangeMeters() + SLACK_METERS;
  }
}
