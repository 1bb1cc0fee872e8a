package io.lastfix.audit.tree;

import io.lastfix.model.Radio;
import org.jspecify.annotations.Nullable;

/**
 * One sighting in a message. It has a cell, a position of its own, or both.
 *
 * @param user the device or subscriber
 * @param mcc mobile country code; -1 without a cell
 * @param mnc mobile network code; -1 without a cell
 * @param area LAC or TAC, or {@link #NO_AREA}
 * @param cid cell id; {@link #NO_CELL} without a cell
 * @param radio null if the message does not name it
 * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
 * @param own null if the record states no position
 */
public record FoundRecord(
    String user,
    long mcc,
    long mnc,
    long area,
    long cid,
    @Nullable Radio radio,
    long timestampMillis,
    @Nullable OwnPosition own) {
  /** The area of a cell that was given without one. */
  public static final long NO_AREA = -1;

  /** The cell id of a record without a cell. */
  public static final long NO_CELL = -1;

  /** A sighting in a cell. */
  public FoundRecord(
      String user,
      long mcc,
      long mnc,
      long area,
      long cid,
      @Nullable Radio radio,
      long timestampMillis) {
    this(user, mcc, mnc, area, cid, radio, timestampMillis, null);
  }

  /** A sighting at a position of its own, without a cell. */
  public static FoundRecord withoutCell(String user, long timestampMillis, OwnPosition own) {
    return new FoundRecord(user, -1, -1, NO_AREA, NO_CELL, null, timestampMillis, own);
  }

  /** Returns this sighting under another name. */
  public FoundRecord withUser(String otherUser) {
    return new FoundRecord(otherUser, mcc, mnc, area, cid, radio, timestampMillis, own);
  }

  /** Returns this sighting with a position of its own. */
  public FoundRecord at(@Nullable OwnPosition otherOwn) {
    return new FoundRecord(user, mcc, mnc, area, cid, radio, timestampMillis, otherOwn);
  }

  /** Returns whether it names a cell. */
  public boolean hasCell() {
    return cid != NO_CELL;
  }

  /**
   * The cell as both collections write it: {@code mcc-mnc-area-cid} or {@code mcc-mnc--cid}; null
   * without a cell.
   */
  public @Nullable String cell() {
    return hasCell()
        ? mcc + "-" + mnc + "-" + (area == NO_AREA ? "" : Long.toString(area)) + "-" + cid
        : null;
  }
}
