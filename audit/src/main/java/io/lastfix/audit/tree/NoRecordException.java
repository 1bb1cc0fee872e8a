package io.lastfix.audit.tree;

/** A part of a message, or a whole one, that the profile knows to be no record. */
final class NoRecordException extends UnreadableException {
  NoRecordException() {
    super("no record");
  }
}
