package io.lastfix.cli.command;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of text in aligned columns, the first row as the heading. */
final class Table {
  private static final String GAP = "  ";

  private final List<String[]> rows = new ArrayList<>();

  Table(String... heading) {
    rows.add(heading);
  }

  void row(String... cells) {
    rows.add(cells);
  }

  @Override
  public String toString() {
    int columns = rows.get(0).length;
    int[] widths = new int[columns];
    for (String[] row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row[i].length());
      }
    }
    return rows.stream()
        .map(row -> line(row, widths))
        .collect(Collectors.joining(System.lineSeparator()));
  }

  private static String line(String[] row, int[] widths) {
    StringBuilder line = new StringBuilder();
    for (int i = 0; i < row.length; i++) {
      line.append(row[i]);
      if (i < row.length - 1) {
        line.append(" ".repeat(widths[i] - row[i].length())).append(GAP);
      }
    }
    return line.toString();
  }
}
