package io.lastfix.workload;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sample in {@code config/sample}: San Francisco's towers, and two days of a hundred taxis. Its
 * README.md names the sources.
 */
public final class SampleData {
  private static final String CELLS = "san-francisco-cells.csv.gz";
  private static final String TRACES = "cabspotting-slice.csv.gz";

  private final Path folder;
  private final List<CellSite> cells;

  /**
   * @param folder {@code config/sample}
   * @param cells the towers, as read from {@link #cellsFile(Path)}
   */
  public SampleData(Path folder, List<CellSite> cells) {
    this.folder = folder;
    this.cells = List.copyOf(cells);
  }

  /**
   * The towers as an OpenCellID file.
   *
   * @param folder {@code config/sample}
   */
  public static Path cellsFile(Path folder) {
    return folder.resolve(CELLS);
  }

  /** The towers as an OpenCellID file. */
  public Path cellsFile() {
    return cellsFile(folder);
  }

  /** The towers. */
  public List<CellSite> cells() {
    return cells;
  }

  /** The taxis' messages in order, the same each time; the caller closes it. */
  public TaxiTraces messages() throws IOException {
    return new TaxiTraces(folder.resolve(TRACES), cells);
  }

  /** Counts {@link #messages()} by reading them. */
  public SampleCounts counts() throws IOException {
    Set<CellId> known = cells.stream().map(CellSite::cell).collect(Collectors.toSet());
    try (TaxiTraces messages = messages()) {
      return SampleCounts.of(messages, known);
    }
  }
}
