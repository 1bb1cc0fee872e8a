package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import io.lastfix.model.CellId;
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
 * Compares the rows of a catalogue file with the catalogue and computes the changes.
 *
 * <p>Call {@link #accept} for every row of the file, then {@link #known} for every entry of the
 * catalogue, then {@link #changes}. In that order the merge drops an entry at once if its cell is
 * not in the file. Memory therefore grows with the file, not with the catalogue;
 * docs/decisions/catalogs.md has the figures.
 *
 * <p>A row states a tower's position at the instant {@code updated}. The merge applies these rules:
 *
 * <ul>
 *   <li>The row adds a version that is valid from that instant, unless the tower was already there.
 *   <li>If the next version has the same position, the merge moves that version's start back
 *       instead.
 *   <li>If two rows give positions for the same instant, the later import wins; within a file, the
 *       later row wins.
 *   <li>Two positions are the same if they are no further apart than the tolerance.
 *   <li>The merge drops versions that end before the first instant that History keeps.
 * </ul>
 *
 * <p>Importing a file twice changes nothing.
 */
public final class CatalogMerge implements Consumer<CatalogRow> {
  private final Map<CellId, List<CatalogRow>> rowsOfCells = new TreeMap<>();
  private final Map<CellId, CellEntry> knownEntries = new HashMap<>();

  private final double toleranceMeters;
  private final long keptFromMillis;

  /**
   * Creates a merge for one file, before its first row.
   *
   * @param toleranceMeters greatest distance in metres at which two positions count as the same; 0
   *     or more
   * @param keptFromMillis first instant that History keeps, in milliseconds since 1970; {@code
   *     Long.MIN_VALUE} if History keeps all records
   */
  public CatalogMerge(double toleranceMeters, long keptFromMillis) {
    if (!(toleranceMeters >= 0)) {
      throw new IllegalArgumentException(
          "toleranceMeters: expected 0 or more, found " + toleranceMeters);
    }
    this.toleranceMeters = toleranceMeters;
    this.keptFromMillis = keptFromMillis;
  }

  /** Adds a row of the file; call it in the file's order. */
  @Override
  public void accept(CatalogRow row) {
    List<CatalogRow> rows = rowsOfCells.get(row.cell());
    if (rows == null) {
      // Nearly every cell has one row. A growable list would need more memory than the row.
      rowsOfCells.put(row.cell(), List.of(row));
      return;
    }
    if (rows.size() == 1) {
      rows = new ArrayList<>(rows);
      rowsOfCells.put(row.cell(), rows);
    }
    rows.add(row);
  }

  /** Adds an entry of the catalogue, in any order. The entry with the greatest revision wins. */
  public void known(CellEntry entry) {
    if (rowsOfCells.containsKey(entry.cell())) {
      knownEntries.merge(
          entry.cell(),
          entry,
          (before, added) -> before.revision().compareTo(added.revision()) > 0 ? before : added);
    }
  }

  /** Computes the changes. The result depends only on the rows and the entries, in their order. */
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
    // Rows are added by time, only the last row of each time. In any other order, a row could
    // remove a version that the next import of the same file would add again.
    Map<Radio, TreeMap<Long, TowerHistory.Site>> added = new EnumMap<>(Radio.class);
    for (CatalogRow row : rows) {
      added
          .computeIfAbsent(row.radio(), radio -> new TreeMap<>())
          .put(row.updatedMillis(), new TowerHistory.Site(row.position(), row.rangeMeters()));
    }
    added.forEach(
        (radio, sites) ->
            sites.forEach(
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

  /** Compares two entries; the order of their towers is irrelevant. */
  private static boolean sameTowers(CellEntry before, CellEntry after) {
    return before.towers().size() == after.towers().size()
        && after.towers().containsAll(before.towers());
  }

  /**
   * The changes that the import of a file makes to the catalogue.
   *
   * <p>The file's number of cells is {@code newCells + changedCells + unchangedCells}.
   *
   * @param entries the complete new entries of the new and the changed cells, ordered by cell id
   * @param newCells number of cells that the catalogue did not have
   * @param changedCells number of cells whose entry in the catalogue differs
   * @param unchangedCells number of cells whose entry in the catalogue stays the same
   */
  public record CatalogChanges(
      List<CellEntry> entries, long newCells, long changedCells, long unchangedCells) {}
}
