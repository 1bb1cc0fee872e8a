package io.lastfix.cli.analytics;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import io.lastfix.analytics.area.Areas;
import io.lastfix.cli.output.FormOptions;
import io.lastfix.cli.output.GeoJson;
import io.lastfix.cli.output.Table;
import io.lastfix.model.Position;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Locale;

/** How numbers and alerts are printed; a mixin. */
public final class NumbersForm extends FormOptions {
  /**
   * A column.
   *
   * @param name the field of rows, in JSON and CSV
   * @param heading in tables; empty: tables do not have it
   */
  public record Column(String name, String heading) {}

  /**
   * Numbers to print.
   *
   * @param columns of rows, in their order
   * @param places the columns that name areas or cells: none, one, or from and to
   * @param rows an absent field is empty in CSV, and a dash in tables
   * @param name of the rows in JSON
   */
  public record Rows(
      List<Column> columns, List<String> places, List<ObjectNode> rows, String name) {
    private List<Column> ofTable() {
      return columns.stream().filter(column -> !column.heading().isEmpty()).toList();
    }
  }

  /** Whether what all rows are about is printed, too. */
  boolean hasFields() {
    return isJson() || isGeoJson();
  }

  /**
   * Prints rows that follow others: a line of JSON for each, or lines of CSV or of a table.
   *
   * @param isFirst whether a heading belongs before them
   */
  public void printNext(PrintWriter out, Rows rows, boolean isFirst) throws IOException {
    if (isJson()) {
      rows.rows().forEach(out::println);
    } else if (isCsv()) {
      out.print(csv(rows, isFirst));
    } else {
      for (ObjectNode row : rows.rows()) {
        out.println(new Table(cells(rows.ofTable(), row)));
      }
    }
  }

  /**
   * Prints numbers.
   *
   * @param about fields about all rows, in JSON and GeoJSON
   */
  public void print(PrintWriter out, Rows rows, ObjectNode about) throws IOException {
    if (isJson()) {
      about.putArray(rows.name()).addAll(rows.rows());
      out.println(about);
    } else if (isGeoJson()) {
      out.println(geoJson(rows).setAll(about));
    } else if (isCsv()) {
      out.print(csv(rows, true));
    } else if (!rows.rows().isEmpty()) {
      List<Column> columns = rows.ofTable();
      Table table = new Table(columns.stream().map(Column::heading).toArray());
      rows.rows().forEach(row -> table.row(cells(columns, row)));
      out.println(table);
    }
  }

  private String csv(Rows rows, boolean hasHeading) throws IOException {
    StringWriter text = new StringWriter();
    List<String> names = rows.columns().stream().map(Column::name).toList();
    try (CsvWriter csv = CsvWriter.builder().build(text)) {
      if (hasHeading) {
        csv.writeRecord(names);
      }
      for (ObjectNode row : rows.rows()) {
        csv.writeRecord(names.stream().map(name -> csvText(row.path(name))).toList());
      }
    }
    return text.toString();
  }

  private static Object[] cells(List<Column> columns, ObjectNode row) {
    return columns.stream().map(column -> row.path(column.name()).asText("-")).toArray();
  }

  private static ObjectNode geoJson(Rows rows) {
    ObjectNode collection = JsonNodeFactory.instance.objectNode().put("type", "FeatureCollection");
    ArrayNode features = collection.putArray("features");
    rows.rows().forEach(row -> features.add(GeoJson.feature(points(rows.places(), row), row)));
    return collection;
  }

  /** The row's own position, or the centres of its places; none if that of one is unknown. */
  private static ArrayNode points(List<String> places, ObjectNode row) {
    ArrayNode points = JsonNodeFactory.instance.arrayNode();
    if (row.has("lon")) {
      points.add(GeoJson.coordinates(row));
    }
    for (String place : places) {
      JsonNode name = row.get(place);
      Position center = name == null ? null : Areas.center(name.asText());
      if (center == null) {
        return JsonNodeFactory.instance.arrayNode();
      }
      points.add(GeoJson.coordinates(center));
    }
    return points;
  }

  /** Returns a column whose heading is its name. */
  public static Column column(String name) {
    return new Column(name, name.toUpperCase(Locale.ROOT));
  }
}
