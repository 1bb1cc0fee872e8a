package io.lastfix.gateway.http;

import java.util.concurrent.CompletionException;

/** Carries a refusal through the stages of a request. */
public final class RefusedException extends CompletionException {
  private final transient Problem problem;

  public RefusedException(Problem problem) {
    super(problem.code(), null);
    this.problem = problem;
  }

  Problem problem() {
    return problem;
  }

  /** An ordinary answer needs no stack trace, which costs more than the rest of the request. */
  @Override
  public synchronized Throwable fillInStackTrace() {
    return this;
  }
}
