package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;

/** A table for users; empty if there are no rows. */
final class TableRows implements RowWriter {
  /** Rows that are buffered to align them. */
  private static final int BLOCK = 1_000;

  private final PrintWriter out;
  private final boolean withDistance;
  private final Table table;
  private boolean empty = true;

  TableRows(PrintWriter out, boolean withDistance) {
    this.out = out;
    this.withDistance = withDistance;
    this.table = Sightings.newTable(withDistance);
  }

  @Override
  public void write(Row row) {
    empty = false;
    Sightings.addTo(table, row, withDistance);
    if (table.unprintedRows() >= BLOCK) {
      table.print(out);
    }
  }

  @Override
  public void finish(ObjectNode about) {
    if (!empty) {
      table.print(out);
    }
  }
}
