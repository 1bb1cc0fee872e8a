package io.lastfix.parse.reader;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * A message cannot be read on. Leaves a decoder only as a {@link Rejection}; its text becomes the
 * detail, so it holds an offset and nothing of what the message says. (The readers' own texts quote
 * the message.) It carries no stack trace: hostile input makes many of them, and nobody sees one.
 */
public final class MalformedMessageException extends Exception {
  private final RejectionReason reason;

  public MalformedMessageException(
      RejectionReason reason, String detail, @Nullable Throwable cause) {
    super(detail, cause, false, false);
    this.reason = reason;
  }

  public MalformedMessageException(RejectionReason reason, String detail) {
    this(reason, detail, null);
  }

  public RejectionReason reason() {
    return reason;
  }
}
