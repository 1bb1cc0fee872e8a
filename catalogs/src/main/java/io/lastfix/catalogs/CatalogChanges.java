package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import java.util.List;

/**
 * What the import of a file changes. Cells in the file = new + changed + unchanged.
 *
 * @param entries the complete new entries of the cells that are new or changed, by cell id
 * @param newCells cells that were not in the catalogue
 * @param changedCells cells of which something else was known
 * @param unchangedCells cells of which the file says nothing that was not known
 */
public record CatalogChanges(
    List<CellEntry> entries, long newCells, long changedCells, long unchangedCells) {
  public CatalogChanges {
    entries = List.copyOf(entries);
  }
}
