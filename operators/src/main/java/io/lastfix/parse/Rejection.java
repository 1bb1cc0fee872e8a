package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;
import java.util.Objects;

/**
 * One record, or several for the same reason, that a message holds and that cannot be used.
 *
 * @param reason why
 * @param detail for a person: which record (counted from 1) and path, or which offset, and what was
 *     expected; holds nothing of what the message says, but for the period of a record that History
 *     has no partition for
 * @param records how many records this stands for, at least 1; a message that cannot be read, whose
 *     records nobody can count, stands for 1
 */
public record Rejection(RejectionReason reason, String detail, int records)
    implements Serializable {
  public Rejection {
    Objects.requireNonNull(reason, "reason");
    Objects.requireNonNull(detail, "detail");
    if (records < 1) {
      throw new IllegalArgumentException("records: expected at least 1, found " + records);
    }
  }

  /** A rejection that stands for one record or one message. */
  public Rejection(RejectionReason reason, String detail) {
    this(reason, detail, 1);
  }
}
