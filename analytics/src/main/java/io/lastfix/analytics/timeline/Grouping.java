package io.lastfix.analytics.timeline;

/** What the place of a record is. */
public enum Grouping {
  /** Its cell, written {@code mcc-mnc-area-cid}. */
  CELL(1, "cell"),
  /** Its area: the token of the S2 cell of its position, at one level. */
  AREA(2, "area");

  private final int code;
  private final String text;

  Grouping(int code, String text) {
    this.code = code;
    this.text = text;
  }

  /** Returns its name in results: the field {@code by}. */
  public String text() {
    return text;
  }

  /** Returns its number in serialized values; it never changes. */
  int code() {
    return code;
  }

  /**
   * Returns the grouping of a code.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Grouping ofCode(int code) {
    for (Grouping grouping : values()) {
      if (grouping.code == code) {
        return grouping;
      }
    }
    throw new IllegalArgumentException("grouping: expected 1 or 2, found " + code);
  }

  /**
   * Returns the grouping of a name.
   *
   * @throws IllegalArgumentException if there is none
   */
  static Grouping ofText(String text) {
    for (Grouping grouping : values()) {
      if (grouping.text.equals(text)) {
        return grouping;
      }
    }
    throw new IllegalArgumentException("grouping: expected cell or area");
  }
}
