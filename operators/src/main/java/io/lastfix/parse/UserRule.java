package io.lastfix.parse;

import java.util.Locale;

/** Whose records a message may have. */
public enum UserRule {
  /** Anyone's. */
  OFF,
  /**
   * If a gateway has proved the sender, those of the sender and of the users that its group may
   * speak for.
   */
  PROVED,
  /** Those that {@link #PROVED} allows; a message without a proved sender may have none. */
  ALL;

  /** Returns the value as in the configuration. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
