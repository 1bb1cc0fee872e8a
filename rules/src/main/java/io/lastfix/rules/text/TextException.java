package io.lastfix.rules.text;

import io.lastfix.expressions.PlacedException;

/** A text is no valid rule or fence. */
public final class TextException extends PlacedException {
  /**
   * Creates the exception.
   *
   * @param line 1 or more
   * @param column in that line, 1 or more
   * @param message what was expected and found
   */
  public TextException(int line, int column, String message) {
    super(line, column, message);
  }

  /** Returns the place and the message: {@code 2:15: expected …}. */
  public String placed() {
    return "%d:%d: %s".formatted(line(), column(), getMessage());
  }
}
