package io.lastfix.store.timeline;

/**
 * A visit of some length. Its identity is user, {@code by} and {@code beginMillis}; it belongs to
 * the UTC day of its begin.
 *
 * @param by what {@code place} is
 * @param place the place
 * @param beginMillis the timestamp of the first record there
 * @param endMillis see {@code end}
 * @param end how it ended
 */
public record Stay(PlaceKind by, String place, long beginMillis, long endMillis, End end) {
  /** The {@link #endMillis()} of an open stay. */
  public static final long NO_END = Long.MIN_VALUE;

  /** How a stay ends. */
  public enum End {
    /** Not so far; {@link Stay#endMillis} is {@link #NO_END}. */
    OPEN(1),
    /** The person left for another place; it ends at the first record there. */
    LEFT(2),
    /** The person was absent afterwards; it ends at the last record before. */
    ABSENT(3);

    private final int code;

    End(int code) {
      this.code = code;
    }

    /** Returns its number in serialized values; it never changes. */
    public int code() {
      return code;
    }

    public static End ofCode(int code) {
      for (End end : values()) {
        if (end.code == code) {
          return end;
        }
      }
      throw new IllegalArgumentException("end: expected 1 to 3, found " + code);
    }
  }
}
