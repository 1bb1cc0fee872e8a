package io.lastfix.parse;

import org.jspecify.annotations.Nullable;

/**
 * A message cannot be read on. Leaves a decoder only as a {@link Rejection}; its text becomes the
 * detail, so it holds an offset and nothing of what the message says. (The readers' own texts quote
 * the message.) It carries no stack trace: hostile input makes many of them, and nobody sees one.
 */
final class MalformedMessageException extends Exception {
  private final RejectionReason reason;

  MalformedMessageException(RejectionReason reason, String detail, @Nullable Throwable cause) {
    super(detail, cause, false, false);
    this.reason = reason;
  }

  MalformedMessageException(RejectionReason reason, String detail) {
    this(reason, detail, null);
  }

  RejectionReason reason() {
    return reason;
  }
}
