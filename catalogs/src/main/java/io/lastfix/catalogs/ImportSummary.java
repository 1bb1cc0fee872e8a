package io.lastfix.catalogs;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * The result of an import. Cells in the file = new + changed + unchanged.
 *
 * @param newCells cells that the catalogue did not have
 * @param changedCells cells with another entry before
 * @param unchangedCells cells without changes
 * @param skippedRows unusable rows of the file
 * @param seconds the duration
 */
public record ImportSummary(
    @JsonProperty("new") long newCells,
    @JsonProperty("changed") long changedCells,
    @JsonProperty("unchanged") long unchangedCells,
    @JsonProperty("skippedRows") long skippedRows,
    @JsonProperty("seconds") double seconds) {
  /** One line for the user. */
  public String toLine() {
    return String.format(
        Locale.ROOT,
        "Cells: %,d new, %,d changed, %,d unchanged; %,d rows skipped (%.1f s)",
        newCells,
        changedCells,
        unchangedCells,
        skippedRows,
        seconds);
  }
}
