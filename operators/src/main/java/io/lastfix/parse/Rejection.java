package io.lastfix.parse;

import io.lastfix.model.RejectionReason;
import java.io.Serializable;

/**
 * The rejection of one record, of several with the same reason, or of a whole message.
 *
 * @param reason why it is rejected
 * @param detail for the user: the record (counted from 1) and path, or the offset, and what was
 *     expected; contains nothing of the message, except the period of a record without a partition
 *     of History, and the name of a coordinate system other than WGS 84
 * @param records number of rejected records, at least 1; an unreadable message counts as 1, since
 *     its records cannot be counted
 */
public record Rejection(RejectionReason reason, String detail, int records)
    implements Serializable {
  /** Creates the rejection of one record or one message. */
  public Rejection(RejectionReason reason, String detail) {
    this(reason, detail, 1);
  }
}
