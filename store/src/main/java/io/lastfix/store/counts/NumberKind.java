package io.lastfix.store.counts;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

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
    return Arrays.stream(values())
        .filter(kind -> kind.text.equals(text))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "expected some of %s, found '%s'"
                        .formatted(
                            Arrays.stream(values())
                                .map(NumberKind::text)
                                .collect(Collectors.joining(", ")),
                            text)));
  }
}
