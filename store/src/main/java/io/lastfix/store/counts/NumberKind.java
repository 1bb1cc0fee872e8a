package io.lastfix.store.counts;

import java.util.Locale;

/** What the analytics job computes; each kind has collections of its own. */
public enum NumberKind {
  /** Records by group. */
  COUNTS,
  /** Devices present at a place. */
  DENSITY,
  /** Moves from one place to another. */
  FLOWS,
  /** Longer visits of a user to a place. */
  STAYS,
  /** What lies between two stays of a user. */
  TRIPS;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns the name in the configuration and in commands. */
  public String text() {
    return text;
  }

  /** Returns true if each result is about one user. */
  public boolean isPersonal() {
    return this == STAYS || this == TRIPS;
  }

  /**
   * Returns the constant with that name.
   *
   * @throws IllegalArgumentException if there is none; names those that there are
   */
  public static NumberKind ofText(String text) {
    return ConstantTexts.find(values(), NumberKind::text, text);
  }
}
