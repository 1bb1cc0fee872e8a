package io.lastfix.cli.push;

import io.lastfix.model.CellId;
import io.lastfix.model.Position;
import io.lastfix.model.Radio;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the cells of an OpenCellID or MLS file (CSV, gzipped or plain) for the generator, which
 * only needs to know where cells stand: rows it does not understand are passed over.
 */
public final class CellFile {
  private static final int MIN_COLUMNS = 8;

  private CellFile() {}

  /**
   * The cells in the order of the file.
   *
   * @throws IOException if the file cannot be read or no row of it is a cell
   */
  public static List<KnownCell> read(Path file) throws IOException {
    List<KnownCell> cells = new ArrayList<>();
    try (BufferedReader lines =
        new BufferedReader(new InputStreamReader(Gzip.open(file), StandardCharsets.UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        addCell(line.split(",", MIN_COLUMNS + 1), cells);
      }
    }
    if (cells.isEmpty()) {
      throw new IOException(
          file + ": expected rows radio,mcc,net,area,cell,unit,lon,lat; found none");
    }
    return cells;
  }

  private static void addCell(String[] columns, List<KnownCell> cells) {
    if (columns.length < MIN_COLUMNS) {
      return;
    }
    Radio radio = Radio.parse(columns[0]).orElse(null);
    if (radio == null) {
      return;
    }
    try {
      CellId cell =
          new CellId(
              Integer.parseInt(columns[1]),
              Integer.parseInt(columns[2]),
              Integer.parseInt(columns[3]),
              Long.parseLong(columns[4]));
      Position position =
          new Position(Double.parseDouble(columns[6]), Double.parseDouble(columns[7]));
      cells.add(new KnownCell(cell, radio, position));
    } catch (IllegalArgumentException outOfRange) {
      return; // the catalogue's own reader counts and names bad rows; here one tower less is no
      // harm
    }
  }
}
