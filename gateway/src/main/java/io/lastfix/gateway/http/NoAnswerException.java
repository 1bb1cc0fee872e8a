package io.lastfix.gateway.http;

/** Ends a request without an answer. */
final class NoAnswerException extends RuntimeException {
  NoAnswerException() {
    super("no answer", null, false, false);
  }
}
