package io.lastfix.workload;

import io.lastfix.model.CellSite;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/** The cells between which devices move, and their neighbours. Used by one thread. */
final class CellMap {
  /** A device moves to one of this number of nearest cells. */
  static final int NEIGHBOURS = 8;

  private final List<CellSite> cells;
  private final NearestCells nearest;

  /**
   * By cell; computed when a device first leaves the cell, because most cells of a large file are
   * never left.
   */
  private final int[][] neighbours;

  CellMap(List<CellSite> cells) {
    this.cells = List.copyOf(cells);
    nearest = new NearestCells(this.cells.stream().map(CellSite::position).toList());
    neighbours = new int[cells.size()][];
  }

  CellSite cell(int index) {
    return cells.get(index);
  }

  int anyCell(SplittableRandom random) {
    return random.nextInt(cells.size());
  }

  /** One of the nearest cells, with equal probability; the cell itself if there is no other. */
  int neighbourOf(int index, SplittableRandom random) {
    int[] near = neighboursOf(index);
    return near.length == 0 ? index : near[random.nextInt(near.length)];
  }

  /** The nearest cells, without the cell itself. */
  int[] neighboursOf(int index) {
    int[] known = neighbours[index];
    if (known == null) {
      known =
          Arrays.stream(nearest.nearest(cell(index).position(), NEIGHBOURS + 1))
              .filter(other -> other != index)
              .limit(NEIGHBOURS)
              .toArray();
      neighbours[index] = known;
    }
    return known;
  }
}
