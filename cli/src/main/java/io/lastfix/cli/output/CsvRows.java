package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.node.ObjectNode;
import de.siegmar.fastcsv.writer.CsvWriter;
import de.siegmar.fastcsv.writer.LineDelimiter;
import io.lastfix.model.Position;
import io.lastfix.model.Sighting;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A heading, then one line a row; what is not known is empty. */
final class CsvRows implements RowWriter {
  private final CsvWriter csv;
  private final UnaryOperator<String> toText;

  /**
   * @param toText what becomes of texts that devices send
   */
  CsvRows(PrintWriter out, boolean withDistance, UnaryOperator<String> toText) {
    this.toText = toText;
    csv = CsvWriter.builder().lineDelimiter(LineDelimiter.CRLF).build(out);
    List<String> heading = new ArrayList<>(List.of("user", "ts", "cell", "lon", "lat"));
    if (withDistance) {
      heading.add("distance");
    }
    heading.addAll(List.of("src", "acc", "alt", "cellLon", "cellLat", "far", "located"));
    csv.writeRecord(heading);
  }

  @Override
  public void write(Row row) {
    Sighting sighting = row.sighting();
    List<String> fields = new ArrayList<>();
    fields.add(toText.apply(sighting.user()));
    fields.add(sighting.timestamp().toString());
    fields.add(toText.apply(Objects.toString(sighting.cell(), "")));
    add(fields, sighting.position());
    if (row.distanceMeters() != null) {
      fields.add(Objects.toString(row.distanceMeters(), ""));
    }
    fields.add(sighting.source() == null ? "" : sighting.source().text());
    fields.add(Objects.toString(sighting.accuracyMeters(), ""));
    fields.add(Objects.toString(sighting.altitudeMeters(), ""));
    add(fields, sighting.cellPosition());
    fields.add(sighting.isFar() ? "true" : "");
    fields.add(Objects.toString(sighting.located(), ""));
    csv.writeRecord(fields);
  }

  private static void add(List<String> fields, @Nullable Position position) {
    fields.add(Objects.toString(position == null ? null : position.lon(), ""));
    fields.add(Objects.toString(position == null ? null : position.lat(), ""));
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
