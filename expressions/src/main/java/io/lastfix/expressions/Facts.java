package io.lastfix.expressions;

import org.jspecify.annotations.Nullable;

/**
 * What a {@link Statement} is evaluated over: one record with a position. The methods of values
 * have the names of {@link Name}; a number that the record does not have is NaN.
 */
public interface Facts {
  /** Returns the device or subscriber. */
  String user();

  /** Returns the cell; null if the record names none. */
  @Nullable String cell();

  /** Returns the network; null if the record names no cell. */
  @Nullable String network();

  /** Returns where the position comes from. */
  String source();

  /** Returns the longitude, in degrees. */
  double lon();

  /** Returns the latitude, in degrees. */
  double lat();

  /** Returns the accuracy, in metres; NaN if it is unknown. */
  double accuracy();

  /** Returns the altitude, in metres; NaN if it is unknown. */
  double altitude();

  /** Returns the speed, in metres a second; NaN if it is unknown. */
  double speed();

  /** Returns the record's own timestamp, in epoch milliseconds. */
  long timeMillis();

  /** Returns whether the record's own position and its cell's contradict each other. */
  boolean isFar();

  /** Returns the distance of the record's position to that place, in metres. */
  double metersTo(double lon, double lat);

  /** Returns whether the record's position is in the fence of that id. */
  boolean isInside(String fence);

  /** Returns the token of the S2 cell of that level, 0 to 30, that contains the position. */
  String area(int level);
}
