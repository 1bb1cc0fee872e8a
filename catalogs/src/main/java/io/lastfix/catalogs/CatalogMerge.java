package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import io.lastfix.model.Tower;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Finds what the rows of a file change in the catalogue.
 *
 * <p>Give it first every row of the file ({@link #accept}), then every entry the catalogue holds
 * ({@link #known}), then ask for the {@link #changes}. In that order an entry whose cell is not in
 * the file is dropped at once, so memory goes with the file and not with the catalogue; see
 * catalogs/RATIONALE.md for how much.
 *
 * <p>A row says that a tower stood somewhere at the moment {@code updated}. It adds a version from
 * that moment on, unless the tower stood there already then; where the version that follows is at
 * the same place, that one is dated back instead. Of two positions at the same moment the one
 * imported later counts, within a file the one further down. So importing a file twice changes
 * nothing. A place within the tolerance of the version before is the same place; and versions that
 * no longer hold at any moment that is kept are dropped.
 */
public final class CatalogMerge implements Consumer<CatalogRow> {
  private final Map<CellId, List<CatalogRow>> rowsOfCells = new TreeMap<>();
  private final Map<CellId, CellEntry> knownEntries = new HashMap<>();

  private final double toleranceMeters;
  private final long keptFromMillis;

  /**
   * Of a file that has not been read yet.
   *
   * @param toleranceMeters how far a tower's new place must be from the one before to be another, 0
   *     or more
   * @param keptFromMillis records from before that moment are not stored any more; {@code
   *     Long.MIN_VALUE}: all are
   */
  public CatalogMerge(double toleranceMeters, long keptFromMillis) {
    if (!(toleranceMeters >= 0)) {
      throw new IllegalArgumentException(
          "toleranceMeters: expected 0 or more, found " + toleranceMeters);
    }
    this.toleranceMeters = toleranceMeters;
    this.keptFromMillis = keptFromMillis;
  }

  /** Adds a row of the file, in the file's order. */
  @Override
  public void accept(CatalogRow row) {
    List<CatalogRow> rows = rowsOfCells.get(row.cell());
    if (rows == null) {
      // Nearly every cell has one row: a list that can grow would take more than the row.
      rowsOfCells.put(row.cell(), List.of(row));
      return;
    }
    if (rows.size() == 1) {
      rows = new ArrayList<>(rows);
      rowsOfCells.put(row.cell(), rows);
    }
    rows.add(row);
  }

  /** Adds an entry of the catalogue, in any order: that with the greatest revision counts. */
  public void known(CellEntry entry) {
    if (rowsOfCells.containsKey(entry.cell())) {
      knownEntries.merge(
          entry.cell(),
          entry,
          (before, added) -> before.revision().compareTo(added.revision()) > 0 ? before : added);
    }
  }

  /** What the file changes. Depends on nothing but the rows and the entries, in their order. */
  public CatalogChanges changes() {
    List<CellEntry> entries = new ArrayList<>();
    long newCells = 0;
    long unchangedCells = 0;
    for (Map.Entry<CellId, List<CatalogRow>> rowsOfCell : rowsOfCells.entrySet()) {
      CellId cell = rowsOfCell.getKey();
      CellEntry before = knownEntries.getOrDefault(cell, new CellEntry(cell, List.of()));
      CellEntry after = merged(before, rowsOfCell.getValue());
      if (sameTowers(before, after)) {
        unchangedCells++;
        continue;
      }
      entries.add(after);
      if (before.towers().isEmpty()) {
        newCells++;
      }
    }
    return new CatalogChanges(entries, newCells, entries.size() - newCells, unchangedCells);
  }

  private CellEntry merged(CellEntry before, List<CatalogRow> rows) {
    Map<Radio, TowerHistory> histories = new EnumMap<>(Radio.class);
    for (Tower tower : before.towers()) {
      histories
          .computeIfAbsent(tower.radio(), radio -> new TowerHistory(toleranceMeters))
          .addAll(tower);
    }
    // By time, and the last row of each time only: added in any other order, a row could undo a
    // version that the next import of the same file would bring back.
    Map<Radio, TreeMap<Long, Position>> added = new EnumMap<>(Radio.class);
    for (CatalogRow row : rows) {
      added
          .computeIfAbsent(row.radio(), radio -> new TreeMap<>())
          .put(row.updatedMillis(), row.position());
    }
    added.forEach(
        (radio, positions) ->
            positions.forEach(
                histories.computeIfAbsent(radio, absent -> new TowerHistory(toleranceMeters))
                    ::add));
    List<Tower> towers = new ArrayList<>();
    histories.forEach(
        (radio, history) -> {
          history.prune(keptFromMillis);
          towers.add(history.toTower(radio));
        });
    return new CellEntry(before.cell(), towers, before.revision());
  }

  /** The order of an entry's towers means nothing. */
  private static boolean sameTowers(CellEntry before, CellEntry after) {
    return before.towers().size() == after.towers().size()
        && after.towers().containsAll(before.towers());
  }
}
