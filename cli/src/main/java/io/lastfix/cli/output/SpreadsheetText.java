package io.lastfix.cli.output;

/** Texts in CSV for a spreadsheet, which takes some texts for formulas and computes them. */
final class SpreadsheetText {
  /**
   * What a formula begins with, also in the wide form; control characters before it are skipped.
   */
  private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

  private SpreadsheetText() {}

  /** Returns the text, after an apostrophe if a spreadsheet would compute it. */
  static String of(String text) {
    return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
  }
}
