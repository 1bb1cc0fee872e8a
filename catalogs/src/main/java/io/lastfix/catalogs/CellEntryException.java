package io.lastfix.catalogs;

import io.lastfix.model.RejectionReason;

/**
 * A message of {@code lastfix.cells} that is no catalogue entry. The message begins with the path
 * of what is wrong and holds nothing of the payload.
 */
public final class CellEntryException extends Exception {
  private final RejectionReason reason;

  private CellEntryException(RejectionReason reason, String path, String words) {
    super(path + ": " + words);
    this.reason = reason;
  }

  /** A value that is not JSON. */
  static CellEntryException malformed(String words) {
    return new CellEntryException(RejectionReason.MALFORMED, "value", words);
  }

  /** Key and value have too many bytes. */
  static CellEntryException tooLarge(String words) {
    return new CellEntryException(RejectionReason.MESSAGE_TOO_LARGE, "value", words);
  }

  /** A key, or a member of the value, that is not what it should be. */
  static CellEntryException badValue(String path, String words) {
    return new CellEntryException(RejectionReason.BAD_VALUE, path, words);
  }

  /**
   * {@link RejectionReason#MALFORMED}, {@link RejectionReason#BAD_VALUE} or {@link
   * RejectionReason#MESSAGE_TOO_LARGE}.
   */
  public RejectionReason reason() {
    return reason;
  }
}
