package io.lastfix.workload;

import java.util.Locale;

/** The formats of the profiles that ship under {@code config/profiles/}. */
public enum MessageFormat {
  /** The pilot's XML, about 420 bytes a record. */
  ARCANUM(false, 1, "subscriber", "<mcc>"),
  /** OMA Mobile Location Protocol 3.x answers and reports. */
  MLP(false, 1000, "msid", "<mcc>"),
  /** An object, or an array of objects. */
  JSON(true, 1, "user", "\"mcc\":"),
  /** The profile {@code json} with one object a line. */
  NDJSON(true, 1, "user", "\"mcc\":");

  private static final String TOPIC_PREFIX = "lastfix.location.";

  private final boolean hasPositions;
  private final int clockStepMillis;
  private final String userField;
  private final String beforeCountryCode;

  MessageFormat(
      boolean hasPositions, int clockStepMillis, String userField, String beforeCountryCode) {
    this.hasPositions = hasPositions;
    this.clockStepMillis = clockStepMillis;
    this.userField = userField;
    this.beforeCountryCode = beforeCountryCode;
  }

  /** Returns whether a record of the format can state a position of its own. */
  public boolean hasPositions() {
    return hasPositions;
  }

  /** The smallest difference between two times in the format, in milliseconds. */
  int clockStepMillis() {
    return clockStepMillis;
  }

  /** The name of the element or field without which a record has no user. */
  String userField() {
    return userField;
  }

  /** The text directly before the mobile country code's digits. */
  String beforeCountryCode() {
    return beforeCountryCode;
  }

  /** The name of the profile that reads this format. */
  public String profile() {
    return this == NDJSON ? "json" : name().toLowerCase(Locale.ROOT);
  }

  /** The topic for messages of this format, {@code lastfix.location.<profile>}. */
  public String topic() {
    return TOPIC_PREFIX + profile();
  }

  /** A new encoder, for one thread. */
  public RecordEncoder newEncoder() {
    return switch (this) {
      case ARCANUM -> new ArcanumEncoder();
      case MLP -> new MlpEncoder();
      case JSON -> JsonEncoder.array();
      case NDJSON -> JsonEncoder.lines();
    };
  }
}
