package io.lastfix.model;

import java.util.Arrays;

/**
 * Why a record or a whole message was rejected.
 *
 * <p>The {@link #code()} stands in the header {@code reason} of {@code lastfix.rejected} and in the
 * names of metrics: it never changes for a constant.
 */
public enum RejectionReason {
  /** Not well-formed XML, JSON or gzip, nested too deep, or with too many different names. */
  MALFORMED("malformed"),
  /** A field that every record needs is absent or empty, or a message holds no record. */
  MISSING_FIELD("missing-field"),
  /**
   * A field is given but cannot be what it should be, or is given more than once, or a record
   * stands inside a record.
   */
  BAD_VALUE("bad-value"),
  /** The network answered that it could not tell the position, as with MLP's {@code poserr}. */
  NO_POSITION("no-position"),
  /** Further ahead of the clock than {@code parse.max-timestamp-ahead} allows. */
  TIMESTAMP_AHEAD("timestamp-ahead"),
  /** Earlier than {@code parse.min-timestamp}. */
  TIMESTAMP_BEFORE_FLOOR("timestamp-before-floor"),
  /** Of a partition of History that is expired by {@code history.retention}. */
  OLDER_THAN_RETENTION("older-than-retention"),
  /** Of a partition of History that nobody has made, and that the job does not make. */
  NO_PARTITION("no-partition"),
  /** Of a partition of History that would be one more new one than is allowed. */
  TOO_MANY_PARTITIONS("too-many-partitions"),
  /**
   * More bytes than {@code parse.max-message-size} as it came in, or than {@code
   * parse.max-decompressed-size} once decompressed.
   */
  MESSAGE_TOO_LARGE("message-too-large"),
  /** The records past {@code parse.max-records-per-message}. */
  TOO_MANY_RECORDS("too-many-records"),
  /** XML with a document type declaration, or with an entity that only such a one could declare. */
  FORBIDDEN_DTD("forbidden-dtd");

  private final String code;

  RejectionReason(String code) {
    this.code = code;
  }

  /** A stable name: lower-case words joined by hyphens. */
  public String code() {
    return code;
  }

  /**
   * The constant with that code.
   *
   * @throws IllegalArgumentException if no constant has it
   */
  public static RejectionReason ofCode(String code) {
    return Arrays.stream(values())
        .filter(reason -> reason.code.equals(code))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("Unknown rejection reason " + code));
  }
}
