package io.lastfix.model;

import java.io.Serializable;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A {@link LocationRecord} after the join with the cell catalogue; the sinks store it.
 *
 * @param user the device or subscriber, not empty
 * @param place the place as the record stated it. The join never completes its cell from the
 *     catalogue, so the stored cell does not depend on when the catalogue arrived
 * @param timestampMillis the record's own timestamp, in milliseconds since 1970-01-01T00:00:00Z
 * @param cellPosition the cell's position at that timestamp; null if the cell is unknown, or the
 *     record has none
 * @param isFar true if the record's own position and its cell's contradict each other: they are
 *     farther apart than the accuracy, the cell's range and 5 km together. False if the range is
 *     unknown
 * @param cellRangeMeters the radius around {@code cellPosition} in which the cell is heard, in
 *     metres; 0 if it is unknown, or the record has a position of its own
 */
public record LocatedRecord(
    String user,
    Place place,
    long timestampMillis,
    @Nullable Position cellPosition,
    boolean isFar,
    int cellRangeMeters)
    implements Serializable {
  public LocatedRecord {
    Objects.requireNonNull(place, "place");
    if (user.isEmpty()) {
      throw new IllegalArgumentException("user: expected a text, found nothing");
    }
    if (cellPosition != null && place.cell() == null) {
      throw new IllegalArgumentException("cellPosition: expected none, as the place has no cell");
    }
    if (isFar && (cellPosition == null || place.fix() == null)) {
      throw new IllegalArgumentException("isFar: expected a position and a known cell");
    }
    if (cellRangeMeters < 0) {
      throw new IllegalArgumentException(
          "cellRangeMeters: expected metres, 0 or more, found " + cellRangeMeters);
    }
    if (cellRangeMeters > 0 && (cellPosition == null || place.fix() != null)) {
      throw new IllegalArgumentException(
          "cellRangeMeters: expected 0, as the position is not the cell's");
    }
  }

  /** Creates a record whose cell has an unknown range. */
  public LocatedRecord(
      String user,
      Place place,
      long timestampMillis,
      @Nullable Position cellPosition,
      boolean isFar) {
    this(user, place, timestampMillis, cellPosition, isFar, 0);
  }

  /** Creates a record at a cell of unknown range; the position is null if the cell is unknown. */
  public LocatedRecord(
      String user, CellId cell, long timestampMillis, @Nullable Position position) {
    this(user, new Place.AtCell(cell, null), timestampMillis, position, false);
  }

  /** Returns the cell as the record named it, with or without area; null if it named none. */
  public @Nullable CellId cell() {
    return place.cell();
  }

  /** Returns the record's own position; null if it has none. */
  public @Nullable Fix fix() {
    return place.fix();
  }

  /** Returns the position to use: the record's own if it has one, otherwise its cell's. */
  public @Nullable Position position() {
    Fix fix = place.fix();
    return fix != null ? fix.position() : cellPosition;
  }

  /** Returns where {@link #position()} comes from; null if there is none. */
  public @Nullable PositionSource source() {
    Fix fix = place.fix();
    if (fix != null) {
      return fix.source();
    }
    return cellPosition == null ? null : PositionSource.CELL;
  }

  /**
   * Returns true if the position is the record's own. Last Known Location keeps the newest of such
   * records beside the newest of all.
   */
  public boolean hasOwnPosition() {
    return place.fix() != null;
  }

  /** Returns true if there is a position. Only such records reach Last Known Location. */
  public boolean isLocated() {
    return position() != null;
  }
}
