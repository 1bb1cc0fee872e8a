package io.lastfix.expressions;

/** A text that a user wrote is not valid at a place. The message is for this user. */
public abstract class PlacedException extends Exception {
  private final int line;
  private final int column;

  /**
   * Creates the exception.
   *
   * @param line 1 or more
   * @param column in that line, 1 or more
   * @param message what was expected and found
   */
  protected PlacedException(int line, int column, String message) {
    super(message);
    this.line = line;
    this.column = column;
  }

  /** Returns the line, 1 or more. */
  public final int line() {
    return line;
  }

  /** Returns the column in that line, 1 or more. */
  public final int column() {
    return column;
  }
}
