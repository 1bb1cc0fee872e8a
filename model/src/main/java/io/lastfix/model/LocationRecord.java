package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One sighting of a device before the join: the user, the place and the timestamp.
 *
 * @param user the device or subscriber, not empty; the key of Last Known Location
 * @param place a cell, a position of the record's own, or both
 * @param timestampMillis the record's own timestamp, in milliseconds since 1970-01-01T00:00:00Z
 */
public record LocationRecord(String user, Place place, long timestampMillis)
    implements Serializable {
  public LocationRecord {
    Objects.requireNonNull(place, "place");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user: expected a text, found nothing");
    }
  }

  /** Creates a record at a cell. */
  public LocationRecord(String user, CellId cell, @Nullable Radio radio, long timestampMillis) {
    this(user, new Place.AtCell(cell, radio), timestampMillis);
  }

  /** Returns the cell as the record named it, with or without area; null if it named none. */
  public @Nullable CellId cell() {
    return place.cell();
  }

  /** Returns the radio of the cell; null if the record does not name it, or has no cell. */
  public @Nullable Radio radio() {
    return place.radio();
  }

  /** Returns the record's own position; null if it has none. */
  public @Nullable Fix fix() {
    return place.fix();
  }

  /** Returns a copy with another user name. */
  public LocationRecord withUser(String otherUser) {
    return new LocationRecord(otherUser, place, timestampMillis);
  }

  /** Returns the located record; null if the cell is unknown, or the record has none. */
  public LocatedRecord at(@Nullable Position cellPosition) {
    return new LocatedRecord(user, place, timestampMillis, cellPosition, false);
  }

  /**
   * Returns the located record of one without a position of its own.
   *
   * @param cell where the record's cell is at the record's timestamp
   */
  public LocatedRecord atCell(CellVersion cell) {
    return new LocatedRecord(
        user, place, timestampMillis, cell.position(), false, cell.rangeMeters());
  }

  /**
   * Returns the located record of one with a position of its own.
   *
   * @param cellPosition the position of the record's cell
   * @param isFar see {@link LocatedRecord#isFar()}
   */
  public LocatedRecord at(Position cellPosition, boolean isFar) {
    return new LocatedRecord(user, place, timestampMillis, cellPosition, isFar);
  }
}
