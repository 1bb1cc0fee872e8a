package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;

/** How sightings are printed; a mixin. */
public final class OutputForm extends FormOptions {
  private static final JsonFactory JSON =
      new JsonFactory(new ObjectMapper())
          // The command prints more after it.
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  /**
   * Starts printing.
   *
   * @param withDistance whether the rows have a distance
   */
  public RowWriter open(PrintWriter out, boolean withDistance) throws IOException {
    if (isJson() || isGeoJson()) {
      return new JsonRows(out, JSON.createGenerator(out), isGeoJson());
    }
    if (isCsv()) {
      return new CsvRows(out, withDistance, this::csvText);
    }
    return new TableRows(out, withDistance);
  }

  /** Starts printing the positions of one device as one line. */
  public RowWriter openLine(PrintWriter out) throws IOException {
    return new GeoJsonLine(out, JSON.createGenerator(out));
  }
}
