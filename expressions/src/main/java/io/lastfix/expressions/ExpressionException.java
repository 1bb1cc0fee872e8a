package io.lastfix.expressions;

/** A text is no valid expression. The place is one in the expression, in code points. */
public final class ExpressionException extends PlacedException {
  ExpressionException(int line, int column, String message) {
    super(line, column, message);
  }
}
