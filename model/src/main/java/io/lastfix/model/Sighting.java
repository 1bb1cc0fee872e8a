package io.lastfix.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One result of a query: a device, a timestamp, and where it was.
 *
 * @param user the device or subscriber
 * @param timestamp the record's own timestamp, with milliseconds
 * @param cell {@code mcc-mnc-area-cid}; null if the record named no cell
 * @param position WGS 84; null if the record stated none and its cell was unknown
 * @param source where {@code position} comes from; null if there is none
 * @param accuracyMeters the radius that contains the true position with 95 %, in metres; null if
 *     unknown
 * @param altitudeMeters in metres; null if unknown, and always from Last Known Location
 * @param cellPosition the cell's position, if {@code position} is the record's own; null if
 *     unknown, and always from Last Known Location
 * @param isFar true if the two positions contradict each other, see {@link LocatedRecord#isFar()}
 * @param located when {@code lastfix relocate} found {@code position}, because the cell was unknown
 *     when the record was stored; null if the job stored it, and always from Last Known Location
 */
public record Sighting(
    String user,
    Instant timestamp,
    @Nullable String cell,
    @Nullable Position position,
    @Nullable PositionSource source,
    @Nullable Double accuracyMeters,
    @Nullable Double altitudeMeters,
    @Nullable Position cellPosition,
    boolean isFar,
    @Nullable Instant located) {

  /** Creates a sighting at a cell; the position is null if the cell was unknown. */
  public Sighting(String user, Instant timestamp, String cell, @Nullable Position position) {
    this(
        user,
        timestamp,
        cell,
        position,
        position == null ? null : PositionSource.CELL,
        null,
        null,
        null,
        false,
        null);
  }

  /**
   * Returns the record of this sighting. It lacks the radio, the shape and the cell's range, which
   * a sighting does not have.
   *
   * @throws IllegalArgumentException if it has a part that no record has; the message names it
   */
  public LocatedRecord toRecord() {
    CellId at = cell == null ? null : CellId.parse(cell);
    long timestampMillis = timestamp.toEpochMilli();
    if (position != null && source != null && source != PositionSource.CELL) {
      Fix fix = new Fix(position, source, accuracyMeters, altitudeMeters, null);
      return new LocatedRecord(user, Place.of(at, null, fix), timestampMillis, cellPosition, isFar);
    }
    if (at == null) {
      throw new IllegalArgumentException("cell: expected one, found nothing");
    }
    return new LocatedRecord(user, at, timestampMillis, position);
  }
}
