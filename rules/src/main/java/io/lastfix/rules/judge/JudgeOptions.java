package io.lastfix.rules.judge;

import java.io.Serializable;
import java.time.Duration;

/**
 * How devices are judged.
 *
 * @param cellRadiusMeters the radius of the circle around a cell's position that counts as
 *     containing its devices if the cell's range is unknown, 0 or more
 * @param forgetAfter a device without a record for so long, also since it went offline, is
 *     forgotten once no {@code for}, {@code within} or {@code quiet} of it runs: its next record is
 *     that of a new device
 */
public record JudgeOptions(double cellRadiusMeters, Duration forgetAfter) implements Serializable {
  /**
   * Returns the radius of the circle around a cell's position that counts as containing its
   * devices.
   *
   * @param rangeMeters the cell's range; 0: unknown
   */
  public double radiusMeters(int rangeMeters) {
    return rangeMeters == 0 ? cellRadiusMeters : rangeMeters;
  }
}
