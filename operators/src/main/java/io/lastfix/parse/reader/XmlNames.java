package io.lastfix.parse.reader;

import java.util.HashMap;
import java.util.Map;

/**
 * The names of elements, attributes, namespace declarations and processing instructions that an
 * Aalto factory has met.
 *
 * <p>Aalto adds each name to a table that the factory keeps for all messages to come; the table
 * never shrinks, and past some thousand names each new one costs more than the one before. So a
 * message may have {@link #MAX_IN_MESSAGE} different names, and a factory that has met more than
 * {@link #MAX_KEPT}, or long ones, is to be replaced. To meet a name again allocates nothing.
 */
public final class XmlNames {
  /** How many different names one message may have, many times what a vendor's format has. */
  public static final int MAX_IN_MESSAGE = 1_000;

  public static final int MAX_KEPT = 1_000;
  private static final int MAX_KEPT_CHARACTERS = 64 * 1024;

  private final Map<String, LastMet> met = new HashMap<>();
  private long characters;
  private long message;
  private int inMessage;

  /** The number of the message that a name was met in last. */
  private static final class LastMet {
    private long message;
  }

  public void startMessage() {
    message++;
    inMessage = 0;
  }

  /**
   * Notes a name.
   *
   * @return whether the message has no more different names so far than it may have
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

  /** Whether the factory that met these names keeps more of them than it should. */
  public boolean areTooMany() {
    return met.size() > MAX_KEPT || characters > MAX_KEPT_CHARACTERS;
  }

  /** Forgets all names, as a new factory has met none. */
  public void clear() {
    met.clear();
    characters = 0;
  }
}
