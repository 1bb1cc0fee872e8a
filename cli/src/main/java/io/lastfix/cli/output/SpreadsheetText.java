package io.lastfix.cli.output;

/** Texts in CSV for a spreadsheet, which takes some texts for formulas and computes them. */
public final class SpreadsheetText {
  /**
   * What a formula begins with, also in the wide form; control characters before it are skipped.
   */
  private static final String FORMULA = "=+-@\t\r\n\uff1d\uff0b\uff0d\uff20";

  /** What the option {@code --spreadsheet} does. */
  public static final String DESCRIPTION =
      "Print the same CSV for a spreadsheet: an apostrophe precedes a text that begins with"
          + " =, +, - or @, which would be a formula. Numbers stay as they are.";

  private SpreadsheetText() {}

  /** Returns the text, after an apostrophe if a spreadsheet would compute it. */
  public static String of(String text) {
    return !text.isEmpty() && FORMULA.indexOf(text.charAt(0)) >= 0 ? "'" + text : text;
  }
}
