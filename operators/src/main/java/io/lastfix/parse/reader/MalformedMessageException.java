package io.lastfix.parse.reader;

import io.lastfix.model.RejectionReason;
import io.lastfix.parse.Rejection;
import org.jspecify.annotations.Nullable;

/**
 * The rest of a message is unreadable. A decoder reports it only as a {@link Rejection}, with this
 * text as the detail. The text therefore contains an offset and nothing of the message; the
 * readers' own texts quote the message. There is no stack trace, since hostile input causes many of
 * these exceptions and nobody reads it.
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
