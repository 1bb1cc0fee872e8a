package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

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
  public void write(Row row) {
    empty = false;
    table.row(cells(row).toArray());
    if (table.unprintedRows() >= BLOCK) {
      table.print(out);
    }
  }

  private List<@Nullable Object> cells(Row row) {
    Sighting sighting = row.sighting();
    Position position = sighting.position();
    List<@Nullable Object> cells = new ArrayList<>(List.of(sighting.user(), sighting.timestamp()));
    cells.add(position == null ? "unknown" : decimal("%.6f", position.lat()));
    cells.add(position == null ? "unknown" : decimal("%.6f", position.lon()));
    if (withDistance) {
      cells.add(row.distanceMeters() == null ? "" : decimal("%.1f", row.distanceMeters()));
    }
    cells.add(sighting.source() == null ? null : sighting.source().text());
    Double accuracy = sighting.accuracyMeters();
    cells.add(accuracy == null ? null : decimal("%.1f", accuracy));
    String cell = sighting.cell() == null ? "-" : sighting.cell();
    cells.add(sighting.isFar() ? cell + " (far)" : cell);
    return cells;
  }

  private static String decimal(String format, double value) {
    return String.format(Locale.ROOT, format, value);
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
