package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.ArrayList;
import java.util.List;

/**
 * Synthetic cells for load without a catalogue file: a square grid about 700 m apart around Null
 * Island, in the network 1-1, which is reserved for tests (ITU-T E.212). None is at (0, 0): that is
 * no position.
 */
public final class SyntheticCells {
  private static final int DEFAULT_COUNT = 10_000;
  private static final double SPACING_DEGREES = 1.0 / 160;
  private static final int CELLS_PER_AREA = 100;

  private SyntheticCells() {}

  /** Ten thousand cells, always the same, row by row from the south west. */
  public static List<CellSite> grid() {
    return grid(DEFAULT_COUNT);
  }

  /**
   * N cells, always the same, row by row from the south west; the last row may be shorter.
   *
   * @param count 1 to 6,000,000, the number for which there are areas
   */
  public static List<CellSite> grid(int count) {
    int side = (int) Math.ceil(Math.sqrt(count));
    List<CellSite> cells = new ArrayList<>(count);
    for (int number = 0; number < count; number++) {
      cells.add(
          new CellSite(
              new CellId(1, 1, 1 + number / CELLS_PER_AREA, 1 + number),
              Radio.LTE,
              new Position(
                  (number % side - side / 2 + 0.5) * SPACING_DEGREES,
                  (number / side - side / 2 + 0.5) * SPACING_DEGREES)));
    }
    return cells;
  }
}
