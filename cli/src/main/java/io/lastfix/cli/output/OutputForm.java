package io.lastfix.cli.output;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.function.UnaryOperator;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that choose how sightings are printed; a mixin. */
public final class OutputForm {
  private static final JsonFactory JSON =
      new JsonFactory(new ObjectMapper())
          // The command prints more after it.
          .disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
          .disable(JsonGenerator.Feature.FLUSH_PASSED_TO_STREAM);

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Choice choice = new Choice();

  private static final class Choice {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
        names = "--csv",
        description = "Print CSV (RFC 4180), with a heading; degrees in WGS 84.")
    private boolean csv;

    @Option(names = "--spreadsheet", description = SpreadsheetText.DESCRIPTION)
    private boolean spreadsheet;

    @Option(names = "--geojson", description = "Print a GeoJSON FeatureCollection (RFC 7946).")
    private boolean geoJson;
  }

  /** Returns whether JSON was chosen. */
  public boolean isJson() {
    return choice.json;
  }

  /** Returns whether GeoJSON was chosen. */
  public boolean isGeoJson() {
    return choice.geoJson;
  }

  /**
   * Starts printing.
   *
   * @param withDistance whether the rows have a distance
   */
  public RowWriter open(PrintWriter out, boolean withDistance) throws IOException {
    if (choice.json || choice.geoJson) {
      return new JsonRows(out, JSON.createGenerator(out), choice.geoJson);
    }
    if (choice.csv || choice.spreadsheet) {
      return new CsvRows(
          out, withDistance, choice.spreadsheet ? SpreadsheetText::of : UnaryOperator.identity());
    }
    return new TableRows(out, withDistance);
  }

  /** Starts printing the positions of one device as one line. */
  public RowWriter openLine(PrintWriter out) throws IOException {
    return new GeoJsonLine(out, JSON.createGenerator(out));
  }
}
