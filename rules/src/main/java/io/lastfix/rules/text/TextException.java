package io.lastfix.rules.text;

/** A text is no valid rule or fence. The message is for the user who wrote it. */
public final class TextException extends Exception {
  private final int line;
  private final int column;

  /**
   * Creates the exception.
   *
   * @param line 1 or more
   * @param column in that line, 1 or more
   * @param message what was expected and found
   */
  public TextException(int line, int column, String message) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /** Returns the line, 1 or more. */
  public int line() {
    return line;
  }

  /** Returns the column, 1 or more. */
  public int column() {
    return column;
  }

  /** Returns the place and the message: {@code 2:15: expected …}. */
  public String placed() {
    return "%d:%d: %s".formatted(line, column, getMessage());
  }
}
