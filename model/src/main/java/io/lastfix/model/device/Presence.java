package io.lastfix.model.device;

/**
 * Whether a device is there. Times are the broker's append times of signs of life, in epoch
 * milliseconds.
 *
 * @param device its id
 * @param state there or silent
 * @param sinceMillis when that state began: of ONLINE, the first sign of life; of OFFLINE, when its
 *     time for another one had passed; of FORGOTTEN, when its silence had lasted too long
 * @param seenMillis the last sign of life; for ONLINE it may be some minutes old
 * @param description the device's description of itself
 */
public record Presence(
    String device, State state, long sinceMillis, long seenMillis, DeviceDescription description) {
  /** There or silent. */
  public enum State {
    /** The device gave a sign of life within three times its interval. */
    ONLINE("online"),
    /** It did not. */
    OFFLINE("offline"),
    /** It was offline for so long that nothing is kept of it. No document has this state. */
    FORGOTTEN("forgotten");

    private final String text;

    State(String text) {
      this.text = text;
    }

    /** Returns the text that is stored and printed. */
    public String text() {
      return text;
    }
  }

  /**
   * Returns whether this is the newer of two presences of one device. Of all that a device had, the
   * newest is the one with the greatest (seen, since): what is known from a later sign of life
   * wins, also if other options date the state otherwise; silence comes after the sign of life
   * before it.
   */
  public boolean isNewerThan(Presence other) {
    return seenMillis != other.seenMillis
        ? seenMillis > other.seenMillis
        : sinceMillis > other.sinceMillis;
  }
}
