package io.lastfix.parse.reader;

import io.lastfix.model.RejectionReason;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a message is unreadable. A decoder reports it only as a rejection, with this text as
 * the detail. The text therefore contains an offset and nothing of the message; the readers' own
 * texts quote the message. There is no stack trace, since hostile input causes many of these
 * exceptions, and it is never read.
 */
public final class MalformedMessageException extends Exception {
  private final RejectionReason reason;

  /** The message is {@linkplain RejectionReason#MALFORMED malformed}. */
  public MalformedMessageException(String detail, @Nullable Throwable cause) {
    super(detail, cause, false, false);
    reason = RejectionReason.MALFORMED;
  }

  public MalformedMessageException(RejectionReason reason, String detail) {
    super(detail, null, false, false);
    this.reason = reason;
  }

  public RejectionReason reason() {
    return reason;
  }
}
