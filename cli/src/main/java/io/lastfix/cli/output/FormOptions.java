package io.lastfix.cli.output;

import com.fasterxml.jackson.databind.JsonNode;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that choose a form of output other than a table. */
public abstract class FormOptions {
  /**
   * What a spreadsheet takes for the beginning of a formula, also in the wide form; control
   * characters before it are skipped.
   */
  private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

  @ArgGroup(exclusive = true, multiplicity = "0..1")
  private Choice choice = new Choice();

  private static final class Choice {
    @Option(names = "--json", description = "Print JSON.")
    private boolean json;

    @Option(
        names = "--csv",
        description = "Print CSV (RFC 4180), with a heading; degrees in WGS 84.")
    private boolean csv;

    @Option(
        names = "--spreadsheet",
        description =
            "Print the same CSV for a spreadsheet: an apostrophe precedes a text that begins with"
                + " =, +, - or @, which would be a formula. Numbers stay as they are.")
    private boolean spreadsheet;

    @Option(
        names = "--geojson",
        description =
            "Print a GeoJSON FeatureCollection (RFC 7946); of numbers the centres of areas. What"
                + " has no known position has no geometry.")
    private boolean geoJson;
  }

  /** Returns whether no other form was chosen. */
  public final boolean isTable() {
    return !isJson() && !isCsv() && !isGeoJson();
  }

  /** Returns whether JSON was chosen. */
  public final boolean isJson() {
    return choice.json;
  }

  /** Returns whether CSV was chosen, also that for a spreadsheet. */
  public final boolean isCsv() {
    return choice.csv || choice.spreadsheet;
  }

  /** Returns whether GeoJSON was chosen. */
  public final boolean isGeoJson() {
    return choice.geoJson;
  }

  /** Returns a value as the chosen CSV has it: nothing for what is not known. */
  protected final String csvText(JsonNode value) {
    String text = value.asText("");
    boolean isFormula =
        value.isTextual() && !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0;
    return choice.spreadsheet && isFormula ? "'" + text : text;
  }
}
