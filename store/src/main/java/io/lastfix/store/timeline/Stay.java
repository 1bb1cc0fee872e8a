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
    OPEN,
    /** The person left for another place; it ends at the first record there. */
    LEFT,
    /** The person was absent afterwards; it ends at the last record before. */
    ABSENT
  }
}
