package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.lastfix.model.Sighting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A heading, then one line a row; longitude and latitude are empty if the cell was unknown. */
final class CsvRows implements RowWriter {
  private final CsvWriter csv;

  CsvRows(PrintWriter out, boolean withDistance) {
    csv = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(out);
    List<String> heading = new ArrayList<>(List.of("user", "ts", "cell", "lon", "lat"));
    if (withDistance) {
      heading.add("distance");
    }
    csv.writeRecord(heading);
  }

  @Override
  public void write(Row row) {
    Sighting sighting = row.sighting();
    List<String> fields = new ArrayList<>();
    fields.add(sighting.user());
    fields.add(sighting.timestamp().toString());
    fields.add(sighting.cell());
    fields.add(number(sighting.position() == null ? null : sighting.position().lon()));
    fields.add(number(sighting.position() == null ? null : sighting.position().lat()));
    if (row.distanceMeters() != null) {
      fields.add(number(row.distanceMeters()));
    }
    csv.writeRecord(fields);
  }

  private static String number(@Nullable Double value) {
    return value == null ? "" : value.toString();
  }

  @Override
  public void finish(ObjectNode about) throws IOException {
    csv.flush();
  }
}
