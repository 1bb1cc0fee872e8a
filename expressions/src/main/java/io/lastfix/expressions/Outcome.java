package io.lastfix.expressions;

/** What an evaluation results in. */
public enum Outcome {
  /** The condition is true. */
  TRUE,
  /** The condition is false. */
  FALSE,
  /** A value that the record lacks would decide. */
  UNDECIDED,
  /** The expression cannot be computed for this record, such as a division by zero. */
  FAILED
}
