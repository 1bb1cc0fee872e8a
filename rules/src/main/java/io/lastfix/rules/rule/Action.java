package io.lastfix.rules.rule;

/**
 * What happens with an alert.
 *
 * @param target the receiver's name, or the topic of MQTT
 */
public record Action(Kind kind, String target) {
  /** The way of delivery. */
  public enum Kind {
    /** A request to a URL; the configuration has the URL of the name. */
    WEBHOOK,
    /** A message to a topic of MQTT. */
    MQTT
  }
}
