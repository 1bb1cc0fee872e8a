package io.lastfix.workload;

/** A message could not be sent. The exception's message is one line for the user. */
public final class PushException extends Exception {
  PushException(String message, Throwable cause) {
    super(message, cause);
  }
}
