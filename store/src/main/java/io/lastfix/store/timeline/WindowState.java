package io.lastfix.store.timeline;

/** What a result is. */
public enum WindowState {
  /** The watermark has not passed its end: more may follow. */
  OPEN(1),
  /** The watermark has passed its end: only late records change it. */
  CLOSED(2),
  /** There is no result any more: late records have refuted it. */
  DELETED(3);

  private final int code;

  WindowState(int code) {
    this.code = code;
  }

  /** Returns its number in serialized values; it never changes. */
  public int code() {
    return code;
  }

  public static WindowState ofCode(int code) {
    for (WindowState state : values()) {
      if (state.code == code) {
        return state;
      }
    }
    throw new IllegalArgumentException("state: expected 1 to 3, found " + code);
  }
}
