package io.lastfix.catalogs;

import io.lastfix.model.CellEntry;
import java.util.List;

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
    List<CellEntry> entries, long newCells, long changedCells, long unchangedCells) {
  public CatalogChanges {
    entries = List.copyOf(entries);
  }
}
