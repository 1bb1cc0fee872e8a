package io.lastfix.audit.tree;

import io.lastfix.model.Radio;
import org.jspecify.annotations.Nullable;

/**
 * One sighting in a message.
 *
 * @param user the device or subscriber
 * @param mcc mobile country code
 * @param mnc mobile network code
 * @param area LAC or TAC, or {@link #NO_AREA}
 * @param cid cell id
 * @param radio null if the message does not name it
 * @param timestampMillis milliseconds since 1970-01-01T00:00:00Z
 */
public record FoundRecord(
    String user,
    long mcc,
    long mnc,
    long area,
    long cid,
    @Nullable Radio radio,
    long timestampMillis) {
  /** The area of a cell that was given without one. */
  public static final long NO_AREA = -1;

  /** The same sighting under another name. */
  public FoundRecord withUser(String otherUser) {
    return new FoundRecord(otherUser, mcc, mnc, area, cid, radio, timestampMillis);
  }

  /** The cell as both collections write it: {@code mcc-mnc-area-cid} or {@code mcc-mnc--cid}. */
  public String cell() {
    return mcc + "-" + mnc + "-" + (area == NO_AREA ? "" : Long.toString(area)) + "-" + cid;
  }
}
