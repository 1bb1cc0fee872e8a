package io.lastfix.audit.tree;

/** A message or a record in it cannot be read. The exception quotes nothing from the message. */
class UnreadableException extends Exception {
  UnreadableException(String message) {
    super(message);
  }

  UnreadableException(String message, Throwable cause) {
    super(message, cause);
  }
}
