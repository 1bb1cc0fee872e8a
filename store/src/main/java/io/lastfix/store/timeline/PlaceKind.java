package io.lastfix.store.timeline;

/** What the place of a record is. */
public enum PlaceKind {
  /** Its cell, written {@code mcc-mnc-area-cid}. */
  CELL(1, "cell"),
  /** Its area: the token of the S2 cell of its position, at one level. */
  AREA(2, "area");

  private final int code;
  private final String text;

  PlaceKind(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** Returns its name in results: the field {@code by}. */
  public String text() {
    return text;
  }

  /** Returns its number in serialized values; it never changes. */
  public int code() {
    return code;
  }

  /**
   * Returns the kind of a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static PlaceKind ofCode(int code) {
    for (PlaceKind kind : values()) {
      if (kind.code == code) {
        return kind;
      }
    }
    throw new IllegalArgumentException("kind of place: expected 1 or 2, found " + code);
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
