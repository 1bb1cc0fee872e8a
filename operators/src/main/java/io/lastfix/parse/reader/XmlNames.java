package io.lastfix.parse.reader;

import java.util.HashMap;
import java.util.Map;

/**
 * The names of elements, attributes, namespace declarations and processing instructions that an
 * Aalto factory has read.
 *
 * <p>Aalto adds each name to a table that the factory keeps for all later messages. The table never
 * shrinks, and beyond some thousand names each new one costs more than the previous. A message may
 * therefore have at most {@link #MAX_IN_MESSAGE} different names. A factory that has read more than
 * {@link #MAX_KEPT} names, or long ones, must be replaced. A known name allocates nothing.
 */
public final class XmlNames {
  /** Maximum number of different names in one message, many times that of a vendor's format. */
  public static final int MAX_IN_MESSAGE = 1_000;

  public static final int MAX_KEPT = 1_000;
  private static final int MAX_KEPT_CHARACTERS = 64 * 1024;

  private final Map<String, LastMet> met = new HashMap<>();
  private long characters;
  private long message;
  private int inMessage;

  /** The number of the message that last contained a name. */
  private static final class LastMet {
    private long message;
  }

  public void startMessage() {
    message++;
    inMessage = 0;
  }

  /**
   * Records a name.
   *
   * @return true if the message has not exceeded the maximum number of different names
   */
  public boolean meet(String name) {
    LastMet last = met.get(name);
    if (last == null) {
      last = new LastMet();
      met.put(name, last);
      characters += name.length();
    }
    if (last.message != message) {
      last.message = message;
      inMessage++;
    }
    return inMessage <= MAX_IN_MESSAGE;
  }

  /** Returns true if the factory should be replaced, since it keeps too many of these names. */
  public boolean areTooMany() {
    return met.size() > MAX_KEPT || characters > MAX_KEPT_CHARACTERS;
  }

  /** Discards all names, for a new factory. */
  public void clear() {
    met.clear();
    characters = 0;
  }
}
