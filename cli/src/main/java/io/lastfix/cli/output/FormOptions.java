package io.lastfix.cli.output;

import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Option;

/** The options that choose a form of output other than a table; a mixin. */
public final class FormOptions {
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
  public boolean isTable() {
    return !isJson() && !isCsv() && !isGeoJson();
  }

  /** Returns whether JSON was chosen. */
  public boolean isJson() {
    return choice.json;
  }

  /** Returns whether CSV was chosen, also that for a spreadsheet. */
  public boolean isCsv() {
    return choice.csv || choice.spreadsheet;
  }

  /** Returns whether GeoJSON was chosen. */
  public boolean isGeoJson() {
    return choice.geoJson;
  }

  /** Returns a text as the chosen CSV has it. */
  public String csvText(String text) {
    return choice.spreadsheet ? SpreadsheetText.of(text) : text;
  }
}
