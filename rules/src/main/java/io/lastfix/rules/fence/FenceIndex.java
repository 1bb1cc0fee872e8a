package io.lastfix.rules.fence;

import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2LatLng;
import com.google.common.geometry.S2RegionCoverer;
import io.lastfix.model.Position;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the fences that contain a position. Each fence has a covering of a few S2 cells. A table by
 * cell names the candidates, and the exact geometry decides. It is immutable, and serves all
 * threads.
 */
public final class FenceIndex {
  private static final int MOST_CELLS = 8;

  /** Cells of about 150 m: smaller ones make a covering no better for usual fences. */
  private static final int SMALLEST_LEVEL = 16;

  private static final S2RegionCoverer COVERER =
      S2RegionCoverer.builder().setMaxCells(MOST_CELLS).setMaxLevel(SMALLEST_LEVEL).build();

  /** Spreads cells over the table: those of one place have common bits. */
  private static final long SCATTER = 0x9E3779B97F4A7C15L;

  private static final int NONE = -1;

  private final List<FenceShape> fences;

  /** The levels of which there are cells, one bit each: others need no look-up. */
  private final int levels;

  /** Open addressing with linear probing, at most half full; 0 marks a free slot. */
  private final long[] cells;

  /** The first entry of each slot's cell. */
  private final int[] firsts;

  /** The place in {@link #fences} of each entry. */
  private final int[] entries;

  /** The next entry of the same cell, or {@link #NONE}. */
  private final int[] nexts;

  /** Builds the index. */
  public FenceIndex(List<FenceShape> fences) {
    this.fences = List.copyOf(fences);
    List<List<S2CellId>> coverings = new ArrayList<>();
    int count = 0;
    for (FenceShape fence : fences) {
      List<S2CellId> covering = COVERER.getCovering(fence.region()).cellIds();
      coverings.add(covering);
      count += covering.size();
    }
    cells = new long[Integer.highestOneBit(Math.max(count, 1)) * 4];
    firsts = new int[cells.length];
    entries = new int[count];
    nexts = new int[count];
    int used = 0;
    int found = 0;
    for (int fence = 0; fence < coverings.size(); fence++) {
      for (S2CellId cell : coverings.get(fence)) {
        int slot = slot(cell.id());
        entries[used] = fence;
        nexts[used] = cells[slot] == 0 ? NONE : firsts[slot];
        cells[slot] = cell.id();
        firsts[slot] = used;
        used++;
        found |= 1 << cell.level();
      }
    }
    levels = found;
  }

  /** Returns the slot of a cell, or the free one where it belongs. */
  private int slot(long cell) {
    int mask = cells.length - 1;
    int slot = (int) ((cell * SCATTER) >>> Integer.SIZE) & mask;
    while (cells[slot] != 0 && cells[slot] != cell) {
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  /** Returns the fences that contain the position. */
  public List<FenceShape> containing(Position position) {
    List<FenceShape> containing = new ArrayList<>();
    S2CellId leaf = S2CellId.fromLatLng(S2LatLng.fromDegrees(position.lat(), position.lon()));
    for (int rest = levels; rest != 0; rest &= rest - 1) {
      int slot = slot(leaf.parent(Integer.numberOfTrailingZeros(rest)).id());
      int entry = cells[slot] == 0 ? NONE : firsts[slot];
      while (entry != NONE) {
        // The cells of a covering do not overlap, so each fence is met once.
        FenceShape fence = fences.get(entries[entry]);
        if (fence.contains(position)) {
          containing.add(fence);
        }
        entry = nexts[entry];
      }
    }
    return containing;
  }
}
