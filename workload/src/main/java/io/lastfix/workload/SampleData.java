package io.lastfix.workload;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.model.CellId;
import io.lastfix.model.CellSite;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The sample in {@code config/sample}: San Francisco's towers, and two days of a hundred taxis. Its
 * README.md names the sources.
 *
 * @param folder {@code config/sample}
 * @param cells the towers, as read from {@link #cellsFile(Path)}
 */
public record SampleData(Path folder, List<CellSite> cells) {
  /** The begin of the traces. */
  public static final Instant BEGIN = Instant.parse("2008-05-24T00:00:00Z");

  /** The end of the traces. */
  public static final Instant END = Instant.parse("2008-05-26T00:00:00Z");

  private static final String CELLS = "san-francisco-cells.csv.gz";
  private static final int LATE_CELLS = 200;
  private static final String TRACES = "cabspotting-slice.csv.gz";

  /**
   * The towers as an OpenCellID file.
   *
   * @param folder {@code config/sample}
   */
  public static Path cellsFile(Path folder) {
    return folder.resolve(CELLS);
  }

  /**
   * Writes a file like {@link #cellsFile()} without its last {@value #LATE_CELLS} cells, as if they
   * had come into operation later.
   */
  public void writeEarlierCells(Path file) throws IOException {
    List<String> lines;
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(Gzip.open(cellsFile()), UTF_8))) {
      lines = reader.lines().toList();
    }
    Files.write(file, lines.subList(0, lines.size() - LATE_CELLS));
  }

  /** The towers as an OpenCellID file. */
  public Path cellsFile() {
    return cellsFile(folder);
  }

  /** The taxis' messages in order, the same each time; the caller closes it. */
  public TaxiTraces messages() throws IOException {
    return new TaxiTraces(folder.resolve(TRACES), cells);
  }

  /**
   * The taxis as if they drove now; the caller closes it.
   *
   * @param speed how many times as fast as they drove
   */
  public DrivingTaxis driving(double speed) throws IOException {
    return new DrivingTaxis(folder.resolve(TRACES), cells, speed);
  }

  /** Counts {@link #messages()} by reading them. */
  public SampleCounts counts() throws IOException {
    Set<CellId> known = cells.stream().map(CellSite::cell).collect(Collectors.toSet());
    try (TaxiTraces messages = messages()) {
      return SampleCounts.of(messages, known);
    }
  }
}
