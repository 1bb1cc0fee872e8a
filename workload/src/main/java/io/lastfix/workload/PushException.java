package io.lastfix.workload;

/** Something could not be sent. The message is one line for the user. */
public final class PushException extends Exception {
  PushException(String message, Throwable cause) {
    super(message, cause);
  }
}
