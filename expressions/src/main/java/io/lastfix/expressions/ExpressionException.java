package io.lastfix.expressions;

/** A text is no valid expression. The message is for the user who wrote it. */
public final class ExpressionException extends Exception {
  private final int line;
  private final int column;

  /**
   * Creates the exception.
   *
   * @param line in the expression, 1 or more
   * @param column in that line, in code points, 1 or more
   */
  ExpressionException(int line, int column, String message) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /** Returns the line in the expression, 1 or more. */
  public int line() {
    return line;
  }

  /** Returns the column in that line, in code points, 1 or more. */
  public int column() {
    return column;
  }
}
