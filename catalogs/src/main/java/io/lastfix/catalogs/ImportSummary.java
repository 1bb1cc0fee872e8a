package io.lastfix.catalogs;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * The result of an import. Cells in the file = new + changed + unchanged.
 *
 * @param newCells cells that the catalogue did not have
 * @param changedCells cells with another entry before
 * @param unchangedCells cells without changes
 * @param skippedRows unusable rows of the file
 * @param rowsWithoutPosition rows of the file at (0, 0), skipped too
 * @param warning what is suspicious about the file as a whole; null if nothing is
 * @param seconds the duration
 */
public record ImportSummary(
    @JsonProperty("new") long newCells,
    @JsonProperty("changed") long changedCells,
    @JsonProperty("unchanged") long unchangedCells,
    @JsonProperty("skippedRows") long skippedRows,
    @JsonProperty("rowsWithoutPosition") long rowsWithoutPosition,
    @JsonProperty("warning") @JsonInclude(Include.NON_NULL) @Nullable String warning,
    @JsonProperty("seconds") double seconds) {
  /** One line for the user. */
  public String toLine() {
    return "Cells: %,d new, %,d changed, %,d unchanged; %,d rows skipped, %,d without a position (%.1f s)"
        .formatted(
            newCells, changedCells, unchangedCells, skippedRows, rowsWithoutPosition, seconds);
  }
}
