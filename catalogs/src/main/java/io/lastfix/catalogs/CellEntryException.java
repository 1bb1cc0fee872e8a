package io.lastfix.catalogs;

import io.lastfix.model.RejectionReason;

/**
 * A message of {@code lastfix.cells} is not a valid catalogue entry. The message of the exception
 * begins with the path of the invalid member and contains nothing of the payload.
 */
public final class CellEntryException extends Exception {
  private final RejectionReason reason;

  private CellEntryException(RejectionReason reason, String path, String words) {
    super(path + ": " + words);
    this.reason = reason;
  }

  /** The value is not JSON. */
  static CellEntryException malformed(String words) {
    return new CellEntryException(RejectionReason.MALFORMED, "value", words);
  }

  /** Key and value together exceed {@link CellEntryJson#MAX_BYTES}. */
  static CellEntryException tooLarge(long bytes) {
    return new CellEntryException(
        RejectionReason.MESSAGE_TOO_LARGE,
        "value",
        "expected at most %d bytes with the key, found %d"
            .formatted(CellEntryJson.MAX_BYTES, bytes));
  }

  /** The key or a member of the value is invalid. */
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
