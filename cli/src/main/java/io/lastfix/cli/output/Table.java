package io.lastfix.cli.output;

import io.lastfix.kit.text.PrintableText;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Rows of text in aligned columns; the first row is the heading. A long table may be printed block
 * by block: columns grow from one block to the next, and never shrink.
 *
 * <p>Cells hold what devices send, and are printed as {@link PrintableText}.
 */
public final class Table {
  private static final String GAP = "  ";

  /** In place of what is not known. */
  static final String NONE = "-";

  private final List<String[]> unprinted = new ArrayList<>();
  private final int[] widths;

  /** A table with these columns. */
  public Table(Object... heading) {
    widths = new int[heading.length];
    row(heading);
  }

  /** Adds a row with one cell for each column; one that is null is printed as a dash. */
  public void row(@Nullable Object... cells) {
    String[] printable = new String[cells.length];
    for (int i = 0; i < cells.length; i++) {
      printable[i] = PrintableText.of(Objects.toString(cells[i], NONE));
      widths[i] = Math.max(widths[i], printable[i].length());
    }
    unprinted.add(printable);
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
