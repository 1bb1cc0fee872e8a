package io.lastfix.cli.catalog;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Locale;

/**
 * What an import did. Cells in the file = new + changed + unchanged.
 *
 * @param newCells cells that the catalogue did not have
 * @param changedCells cells of which something else was known
 * @param unchangedCells cells of which the file says nothing new
 * @param skippedRows rows of the file that could not be used
 * @param seconds how long it took
 */
public record ImportSummary(
    @JsonProperty("new") long newCells,
    @JsonProperty("changed") long changedCells,
    @JsonProperty("unchanged") long unchangedCells,
    @JsonProperty("skippedRows") long skippedRows,
    @JsonProperty("seconds") double seconds) {
  /** One line for people. */
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
