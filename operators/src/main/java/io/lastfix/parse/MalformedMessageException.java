package io.lastfix.parse;

import org.jspecify.annotations.Nullable;

/**
 * A message cannot be read on. Leaves a decoder only as a {@link Rejection}; its text becomes the
 * detail, so it holds an offset and nothing of what the message says. (The readers' own texts quote
 * the message.)
 */
final class MalformedMessageException extends Exception {
  private final RejectionReason reason;

  MalformedMessageException(RejectionReason reason, String detail, @Nullable Throwable cause) {
    super(detail, cause);
    this.reason = reason;
  }

  MalformedMessageException(RejectionReason reason, String detail) {
    super(detail);
    this.reason = reason;
  }

  RejectionReason reason() {
    return reason;
  }
}
