package io.lastfix.analytics.timeline;

import io.lastfix.store.timeline.DensityCount;
import io.lastfix.store.timeline.PlaceKind;
import io.lastfix.store.timeline.WindowState;
import java.time.Duration;

/**
 * Counts the devices at each place.
 *
 * <p><b>Input:</b> changes, keyed by {@link #key}. <b>Output:</b> the devices present at the end of
 * each window whose end differs from the end of the one before. A late change rewrites all windows
 * after it that have a result.
 */
public final class DensityFunction extends WindowFunction<PlaceChange, DensityCount> {
  /**
   * @param window the length of a window
   * @param minimumGroup fewer devices are withheld
   * @param options those of the {@link TimelineFunction} before
   */
  public DensityFunction(Duration window, int minimumGroup, TimelineOptions options) {
    super(window.toMillis(), true, minimumGroup, options);
  }

  /** Returns the key of a change. */
  public static String key(PlaceChange change) {
    return change.by().text() + ' ' + change.place();
  }

  @Override
  long millis(PlaceChange change) {
    return change.atMillis();
  }

  @Override
  WindowSum sum(PlaceChange change) {
    return new WindowSum(change.devices(), change.devices());
  }

  @Override
  DensityCount result(String key, long start, WindowSum value, WindowState state) {
    int blank = key.indexOf(' ');
    return new DensityCount(
        start,
        PlaceKind.ofText(key.substring(0, blank)),
        key.substring(blank + 1),
        value.devices(),
        state);
  }
}
