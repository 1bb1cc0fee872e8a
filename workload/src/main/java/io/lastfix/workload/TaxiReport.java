package io.lastfix.workload;

import io.lastfix.model.Position;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** One line of taxi traces: where a cab was. */
record TaxiReport(String cab, Position position, long timestampMillis) {
  private static final String HEADER = "cab_id,lat,lon,occupied,unix_time";
  private static final int COLUMNS = 5;

  /**
   * Opens traces, and reads their heading.
   *
   * @param file gzipped or plain
   */
  static BufferedReader open(Path file) throws IOException {
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(Gzip.open(file), StandardCharsets.UTF_8));
    if (!HEADER.equals(lines.readLine())) {
      lines.close();
      throw new IOException("%s, line 1: expected %s".formatted(file, HEADER));
    }
    return lines;
  }

  /**
   * Reads a line.
   *
   * @param number of the line in its file, for messages
   */
  static TaxiReport ofLine(String line, long number) throws IOException {
    String[] columns = line.split(",", -1);
    if (columns.length != COLUMNS) {
      throw new IOException(
          "line %d: expected %d columns, found %d".formatted(number, COLUMNS, columns.length));
    }
    try {
      Position place = new Position(Double.parseDouble(columns[2]), Double.parseDouble(columns[1]));
      return new TaxiReport(
          columns[0], place, Math.multiplyExact(Long.parseLong(columns[4]), 1000L));
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw new IOException("line %d: %s".formatted(number, e.getMessage()), e);
    }
  }
}
