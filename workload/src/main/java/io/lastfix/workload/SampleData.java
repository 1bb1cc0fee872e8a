package io.lastfix.cli.push;

import io.lastfix.model.CellId;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sample that ships in {@code config/sample}: San Francisco's towers, and two days of a hundred
 * taxis. Its README.md says where they come from.
 */
public final class SampleData {
  private static final String CELLS = "san-francisco-cells.csv.gz";
  private static final String TRACES = "cabspotting-slice.csv.gz";

  private final Path folder;
  private final List<KnownCell> cells;

  /**
   * Reads the towers.
   *
   * @param folder {@code config/sample}
   */
  public SampleData(Path folder) throws IOException {
    this.folder = folder;
    cells = CellFile.read(cellsFile());
  }

  /** The towers as an OpenCellID file. */
  public Path cellsFile() {
    return folder.resolve(CELLS);
  }

  /** The towers. */
  public List<KnownCell> cells() {
    return cells;
  }

  /** The taxis' messages from the first to the last, the same each time; to be closed. */
  public TaxiTraces messages() throws IOException {
    return new TaxiTraces(folder.resolve(TRACES), cells);
  }

  /** What is in {@link #messages()}, counted by going through them. */
  public SampleCounts counts() throws IOException {
    Set<CellId> known = cells.stream().map(KnownCell::cell).collect(Collectors.toSet());
    try (TaxiTraces messages = messages()) {
      return SampleCounts.of(messages, known);
    }
  }
}
