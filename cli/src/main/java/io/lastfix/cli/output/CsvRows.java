package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** A heading, then one line a row; what is not known is empty. */
final class CsvRows implements RowWriter {
  /** Where a row has what is no field of its own. */
  private static final Map<String, String> NESTED =
      Map.of(
          "lon", "/loc/lon",
          "lat", "/loc/lat",
          "cellLon", "/cellLoc/lon",
          "cellLat", "/cellLoc/lat");

  private final CsvWriter csv;
  private final List<JsonPointer> columns;
  private final Function<JsonNode, String> toText;

  /**
   * @param toText what becomes of a value
   */
  CsvRows(PrintWriter out, boolean withDistance, Function<JsonNode, String> toText) {
    this.toText = toText;
    csv = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(out);
    List<String> heading = new ArrayList<>(List.of("user", "ts", "cell", "lon", "lat"));
    if (withDistance) {
      heading.add("distance");
    }
    heading.addAll(List.of("src", "acc", "alt", "cellLon", "cellLat", "far", "located"));
    csv.writeRecord(heading);
    columns =
        heading.stream()
            .map(name -> JsonPointer.compile(NESTED.getOrDefault(name, "/" + name)))
            .toList();
  }

  @Override
  public void write(ObjectNode row) {
    csv.writeRecord(columns.stream().map(column -> toText.apply(row.at(column))).toList());
  }

  @Override
  public boolean breakOff() throws IOException {
    csv.flush();
    return true;
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    csv.flush();
  }
}
