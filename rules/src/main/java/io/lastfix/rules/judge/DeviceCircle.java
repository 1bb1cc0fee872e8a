package io.lastfix.rules.judge;

import io.lastfix.model.Fix;
import io.lastfix.model.LocatedRecord;
import io.lastfix.model.Position;
import io.lastfix.rules.fence.FenceShape;
import java.util.Objects;

/**
 * The circle that contains a device, by its record.
 *
 * @param radiusMeters 0: the device is at the centre
 */
record DeviceCircle(Position center, double radiusMeters) {
  /**
   * Returns the circle of a record.
   *
   * @param record has a position
   */
  static DeviceCircle of(LocatedRecord record, JudgeOptions options) {
    Fix fix = record.fix();
    if (fix == null) {
      return new DeviceCircle(
          Objects.requireNonNull(record.cellPosition()),
          options.radiusMeters(record.cellRangeMeters()));
    }
    Double accuracy = fix.accuracyMeters();
    return new DeviceCircle(fix.position(), accuracy == null ? 0 : accuracy);
  }

  /** Returns the share of the circle in the fence, 0 to 1. */
  double share(FenceShape fence) {
    if (radiusMeters == 0) {
      return fence.contains(center) ? 1 : 0;
    }
    return fence.share(center, radiusMeters);
  }

  /**
   * Returns the device's side.
   *
   * @param marginMeters how far from the fence its outside begins
   * @param certainty the least share of the circle on a side
   */
  Side side(FenceShape fence, double marginMeters, double certainty) {
    boolean isPoint = radiusMeters == 0;
    if (fence.contains(center)) {
      return isPoint || share(fence) >= certainty ? Side.INSIDE : Side.BETWEEN;
    }
    if (!(fence.metersTo(center) > marginMeters)) {
      return Side.BETWEEN;
    }
    return isPoint || 1 - share(fence) >= certainty ? Side.OUTSIDE : Side.BETWEEN;
  }
}
