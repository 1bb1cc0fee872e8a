package io.lastfix.sink;

import java.io.Serializable;

/**
 * Where Last Known Location is kept.
 *
 * @param collection its name, 1 to 60 letters, digits, {@code _} or {@code -}
 */
public record LastKnownLocationOptions(String collection) implements Serializable {
  public LastKnownLocationOptions {
    Checks.isName("collection", collection);
  }

  /** The collection {@code last_known_location}. */
  public static LastKnownLocationOptions defaults() {
    return new LastKnownLocationOptions("last_known_location");
  }
}
