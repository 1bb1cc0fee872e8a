package io.lastfix.parse.shape;

/**
 * A shape cannot be used; the message says why and contains no coordinate. There is no stack trace:
 * hostile input causes many of these.
 */
public final class InvalidShapeException extends Exception {
  InvalidShapeException(String message) {
    super(message, null, false, false);
  }
}
