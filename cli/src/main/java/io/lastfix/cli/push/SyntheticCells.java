package io.lastfix.cli.push;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.util.ArrayList;
import java.util.List;

/**
 * Made-up cells for load without a catalogue file: a square grid about 700 m apart around Null
 * Island, in the network 1-1 that is set aside for tests (ITU-T E.212).
 */
public final class SyntheticCells {
  private static final int SIDE = 100;
  private static final double SPACING_DEGREES = 1.0 / 160;
  private static final int CELLS_PER_AREA = SIDE;

  private SyntheticCells() {}

  /** Ten thousand cells, always the same, row by row from the south west. */
  public static List<KnownCell> grid() {
    List<KnownCell> cells = new ArrayList<>(SIDE * SIDE);
    for (int row = 0; row < SIDE; row++) {
      for (int column = 0; column < SIDE; column++) {
        int number = row * SIDE + column;
        cells.add(
            new KnownCell(
                new CellId(1, 1, 1 + number / CELLS_PER_AREA, 1 + number),
                Radio.LTE,
                new Position(
                    (column - SIDE / 2) * SPACING_DEGREES, (row - SIDE / 2) * SPACING_DEGREES)));
      }
    }
    return cells;
  }
}
