package io.lastfix.gateway.http;

/** Ends a request without an answer. */
final class NoAnswerException extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoAnswerException() {
    super("no answer", null, false, false);
  }
}
