package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

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
    List<String> heading = new ArrayList<>(List.of("USER", "TIME (UTC)", "LATITUDE", "LONGITUDE"));
    if (withDistance) {
      heading.add("DISTANCE (M)");
    }
    heading.addAll(List.of("SOURCE", "ACCURACY (M)", "CELL"));
    this.table = new Table(heading.toArray());
  }

  @Override
  public void write(ObjectNode row) {
    empty = false;
    table.row(cells(row).toArray());
    if (table.unprintedRows() >= BLOCK) {
      table.print(out);
    }
  }

  private List<String> cells(ObjectNode row) {
    List<String> cells = new ArrayList<>();
    cells.add(row.path("user").asText());
    cells.add(row.path("ts").asText());
    cells.add(decimal("%.6f", row.at("/loc/lat"), "unknown"));
    cells.add(decimal("%.6f", row.at("/loc/lon"), "unknown"));
    if (withDistance) {
      cells.add(decimal("%.1f", row.path("distance"), ""));
    }
    cells.add(row.path("src").asText(Table.NONE));
    cells.add(decimal("%.1f", row.path("acc"), Table.NONE));
    cells.add(row.path("cell").asText(Table.NONE) + (row.has("far") ? " (far)" : ""));
    return cells;
  }

  private static String decimal(String format, JsonNode number, String otherwise) {
    return number.isNumber() ? String.format(Locale.ROOT, format, number.asDouble()) : otherwise;
  }

  @Override
  public boolean breakOff() {
    print();
    return true;
  }

  @Override
  public void finish(ObjectNode about) {
    print();
  }

  private void print() {
    if (!empty) {
      table.print(out);
    }
  }
}
