package io.lastfix.analytics.timeline;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a person was by one kind of place, after some of the records: all that the facts of the
 * later ones depend on.
 *
 * @param visit the visit that is not over; null: none
 * @param lastStay the stay that the next trip begins with; null: none, or there was absence since
 * @param moves the moves of hours that more moves may follow in; they were reported
 */
record Track(@Nullable Visit visit, @Nullable LastStay lastStay, Map<Move, Integer> moves) {
  static final Track EMPTY = new Track(null, null, Map.of());

  /**
   * @param place where
   * @param beginMillis the timestamp of its first record
   * @param lastMillis the timestamp of its last record
   */
  record Visit(String place, long beginMillis, long lastMillis) {}

  /**
   * @param place where
   * @param endMillis when it was left
   * @param via the number of visits that ended since
   */
  record LastStay(String place, long endMillis, int via) {}

  /**
   * @param hourMillis the start of the hour
   * @param from the place left
   * @param to the place reached
   */
  record Move(long hourMillis, String from, String to) {}
}
