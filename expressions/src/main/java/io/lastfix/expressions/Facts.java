package io.lastfix.expressions;

import org.jspecify.annotations.Nullable;

/** What a {@link Statement} is evaluated over: one record with a position. */
public interface Facts {
  /**
   * Returns a value of the record: a {@code String}, {@code Double}, {@code Boolean} or, for {@link
   * Name#TIME}, a {@code java.time.Instant}.
   *
   * @return null if the record does not have it
   */
  @Nullable Object value(Name name);

  /** Returns the distance of the record's position to that place, in metres. */
  double metersTo(double lon, double lat);

  /** Returns whether the record's position is in the fence of that id. */
  boolean isInside(String fence);

  /** Returns the token of the S2 cell of that level, 0 to 30, that contains the position. */
  String area(int level);
}
