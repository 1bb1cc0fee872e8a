package io.lastfix.cli.output;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of text in aligned columns; the first row is the heading. A long table may be printed block
 * by block: columns grow from one block to the next, and never shrink.
 */
public final class Table {
  private static final String GAP = "  ";

  private final List<String[]> unprinted = new ArrayList<>();
  private final int[] widths;

  /** A table with these columns. */
  public Table(String... heading) {
    widths = new int[heading.length];
    row(heading);
  }

  /** Adds a row with one cell for each column. */
  public void row(String... cells) {
    unprinted.add(cells);
    for (int i = 0; i < widths.length; i++) {
      widths[i] = Math.max(widths[i], cells[i].length());
    }
  }

  int unprintedRows() {
    return unprinted.size();
  }

  /** Prints the rows added since the last call. */
  void print(PrintWriter out) {
    unprinted.forEach(row -> out.println(line(row)));
    unprinted.clear();
  }

  /** All rows not printed yet, without a line end after them. */
  @Override
  public String toString() {
    return unprinted.stream().map(this::line).collect(Collectors.joining(System.lineSeparator()));
  }

  private String line(String[] row) {
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
