package io.lastfix.catalogs;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import io.lastfix.model.Radio;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reads the current positions of the cells of an OpenCellID or MLS file. */
public final class CellFile {
  private CellFile() {}

  /** Identifies a tower. The four codes alone repeat across radios. */
  private record CellOnRadio(CellId cell, Radio radio) {}

  /**
   * Returns the cells in the file's order. If a cell has several rows, the newest row wins.
   *
   * @throws IOException if the file cannot be read, has too many bad rows, or has no cell
   */
  public static List<CellSite> read(Path file) throws IOException {
    Map<CellOnRadio, CatalogRow> newest = new LinkedHashMap<>();
    try {
      new OpenCellIdReader(OpenCellIdReader.DEFAULT_MAX_BAD_SHARE, System.currentTimeMillis())
          .read(
              file,
              row ->
                  newest.merge(
                      new CellOnRadio(row.cell(), row.radio()),
                      row,
                      (old, other) -> old.updatedMillis() > other.updatedMillis() ? old : other));
    } catch (CatalogRefusedException e) {
      throw new IOException(e.getMessage(), e);
    }
    if (newest.isEmpty()) {
      throw new IOException(file + ": expected cells, found none");
    }
    return newest.values().stream()
        .map(row -> new CellSite(row.cell(), row.radio(), row.position()))
        .toList();
  }
}
