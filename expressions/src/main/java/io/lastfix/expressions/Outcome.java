package io.lastfix.expressions;

/** What an evaluation results in. */
public enum Outcome {
  /** The condition is true. */
  TRUE,
  /** The condition is false. */
  FALSE,
  /**
   * The record lacks a value that the condition names, and it cannot be computed without. Equality
   * can, also by {@code in}: null differs from every value.
   */
  UNDECIDED,
  /** The expression cannot be computed for this record, such as a division by zero. */
  FAILED
}
