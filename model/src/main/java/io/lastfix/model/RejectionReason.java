package io.lastfix.model;

import java.util.Arrays;

/**
 * The reason why the job rejected a record or a whole message.
 *
 * <p>The {@link #code()} is part of the header {@code reason} in {@code lastfix.rejected} and of
 * metric names. A constant's code never changes.
 */
public enum RejectionReason {
  /**
   * The message is not well-formed (XML, JSON, query string, gzip), is nested too deep, or has too
   * many different names.
   */
  MALFORMED("malformed"),
  /** A required field is absent or empty, or a message contains no record. */
  MISSING_FIELD("missing-field"),
  /** A field has an invalid value or occurs more than once, or a record contains another record. */
  BAD_VALUE("bad-value"),
  /**
   * The network reported that it could not determine the position, as with MLP's {@code poserr}.
   */
  NO_POSITION("no-position"),
  /**
   * The record names no cell, and its own position is unusable: (0, 0), out of range, not a number,
   * marked as invalid by the device, or in a coordinate system other than WGS 84.
   */
  INVALID_POSITION("invalid-position"),
  /** The timestamp is further ahead of the clock than {@code parse.max-timestamp-ahead} allows. */
  TIMESTAMP_AHEAD("timestamp-ahead"),
  /** The timestamp is earlier than {@code parse.min-timestamp}. */
  TIMESTAMP_BEFORE_FLOOR("timestamp-before-floor"),
  /** The record's History partition is expired by {@code history.retention}. */
  OLDER_THAN_RETENTION("older-than-retention"),
  /** The record's History partition does not exist, and the job does not create it. */
  NO_PARTITION("no-partition"),
  /** The record's History partition would be a new one beyond the configured limits. */
  TOO_MANY_PARTITIONS("too-many-partitions"),
  /**
   * The message exceeds {@code parse.max-message-size}, or {@code parse.max-decompressed-size} once
   * decompressed.
   */
  MESSAGE_TOO_LARGE("message-too-large"),
  /**
   * The message has more records than {@code parse.max-records-per-message}; the surplus is
   * rejected.
   */
  TOO_MANY_RECORDS("too-many-records"),
  /**
   * The XML has a document type declaration, or an entity that only such a declaration could
   * define.
   */
  FORBIDDEN_DTD("forbidden-dtd"),
  /**
   * The record's user is neither the device that sent the message nor one that its group may speak
   * for, or the sender is not known ({@code parse.check-users}).
   */
  NOT_ITS_USER("not-its-user");

  private final String code;

  RejectionReason(String code) {
    this.code = code;
  }

  /** Returns a stable name: lower-case words joined by hyphens. */
  public String code() {
    return code;
  }

  /**
   * Returns the constant with that code.
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
