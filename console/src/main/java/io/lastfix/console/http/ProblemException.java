package io.lastfix.console.http;

/** Carries a refusal out of a query. */
public final class ProblemException extends RuntimeException {
  private final transient Problem problem;

  /** A refusal. */
  public ProblemException(Problem problem) {
    super(problem.detail(), null, false, false);
    this.problem = problem;
  }

  /** The answer. */
  public Problem problem() {
    return problem;
  }
}
