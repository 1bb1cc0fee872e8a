package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.FlowCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;

/**
 * Counts the moves between each two places by hour, and the devices that made them.
 *
 * <p><b>Input:</b> changes, keyed by {@link #key}. <b>Output:</b> moves and devices of each hour
 * that has any.
 */
public final class FlowFunction extends WindowFunction<FlowChange, FlowCount> {
  /**
   * @param minimumGroup moves of fewer devices are withheld
   * @param options those of the {@link TimelineFunction} before
   */
  public FlowFunction(int minimumGroup, TimelineOptions options) {
    super(TrackWalk.HOUR_MILLIS, false, minimumGroup, options);
  }

  /** Returns the key of a change. */
  public static String key(FlowChange change) {
    return change.by().text() + ' ' + change.from() + ' ' + change.to();
  }

  @Override
  long millis(FlowChange change) {
    return change.hourMillis();
  }

  @Override
  WindowSum sum(FlowChange change) {
    return new WindowSum(change.moves(), change.devices());
  }

  @Override
  FlowCount result(String key, long start, WindowSum value, WindowState state) {
    int first = key.indexOf(' ');
    int second = key.indexOf(' ', first + 1);
    return new FlowCount(
        start,
        PlaceKind.ofText(key.substring(0, first)),
        key.substring(first + 1, second),
        key.substring(second + 1),
        value.count(),
        value.devices(),
        state);
  }
}
