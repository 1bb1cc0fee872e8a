package io.lastfix.model.alert;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What happens with an alert.
 *
 * @param target the receiver's name, the topic of MQTT, or the route in Alertmanager
 */
public record Action(Kind kind, String target) implements Serializable {
  /** The way of delivery. The {@link #text()} is part of rules, documents and messages. */
  public enum Kind {
    /** A request to a URL; the configuration has the URL of the name. */
    WEBHOOK,
    /** A message to a topic of MQTT. */
    MQTT,
    /** An alert of Alertmanager; its label {@code route} is the target. */
    ALERTMANAGER;

    /** Returns the name in rules, documents and messages. */
    public String text() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** Returns the kind of that name. */
    public static Optional<Kind> find(String text) {
      return Arrays.stream(values()).filter(kind -> kind.text().equals(text)).findFirst();
    }
  }
}
