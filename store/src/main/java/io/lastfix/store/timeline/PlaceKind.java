package io.lastfix.store.timeline;

import java.util.Locale;

/** What the place of a record is. */
public enum PlaceKind {
  /** Its cell, written {@code mcc-mnc-area-cid}. */
  CELL,
  /** Its area: the token of the S2 cell of its position, at one level. */
  AREA;

  private final String text = name().toLowerCase(Locale.ROOT);

  /** Returns its name in results: the field {@code by}. */
  public String text() {
    return text;
  }

  /**
   * Returns the kind of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PlaceKind ofText(String text) {
    for (PlaceKind kind : values()) {
      if (kind.text.equals(text)) {
        return kind;
      }
    }
    throw new IllegalArgumentException("kind of place: expected cell or area");
  }
}
