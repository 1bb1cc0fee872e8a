package io.lastfix.expressions;

/** What the conditions of several {@link Statement}s are compiled to. It serves all threads. */
public interface Code {
  /** The condition is false. */
  int FALSE = 0;

  /** The condition is true. */
  int TRUE = 1;

  /** The condition cannot be computed for this record. */
  int FAILURE = 2;

  /**
   * Evaluates a condition. It throws no exception.
   *
   * @param index of the condition, from 0
   * @return {@link #FALSE}, {@link #TRUE} or {@link #FAILURE}
   */
  int evaluate(int index, Facts facts);
}
