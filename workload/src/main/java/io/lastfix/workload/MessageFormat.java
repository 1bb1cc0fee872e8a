package io.lastfix.workload;

import java.util.Locale;

/** The formats of the profiles that ship under {@code config/profiles/}. */
public enum MessageFormat {
  /** The pilot's XML, about 420 bytes a record. */
  ARCANUM,
  /** OMA Mobile Location Protocol 3.x answers and reports. */
  MLP,
  /** An object, or an array of objects. */
  JSON,
  /** The profile {@code json} with one object a line. */
  NDJSON;

  private static final String TOPIC_PREFIX = "lastfix.location.";

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
