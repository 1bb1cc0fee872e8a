package io.lastfix.store.query;

import io.lastfix.model.PositionSource;
import io.lastfix.model.Sighting;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a device was last seen.
 *
 * @param last its newest sighting; it has a position
 * @param fix the newest with a position of the device's own, which may be {@code last}; null if
 *     there is none
 */
public record LastKnownLocation(Sighting last, @Nullable Sighting fix) {
  /** The longest window of {@link #before}. */
  public static final Duration MAX_WINDOW = Duration.ofDays(366);

  /** The least is the most exact. Among equals the newest is less. */
  static final Comparator<Sighting> MOST_EXACT_FIRST =
      Comparator.comparing((Sighting sighting) -> sighting.source() == PositionSource.CELL)
          .thenComparing(Sighting::accuracyMeters, Comparator.nullsLast(Comparator.naturalOrder()))
          .thenComparing(Sighting::timestamp, Comparator.reverseOrder());

  /** Returns the newest sighting, and the newest of the device's own if that is another. */
  public List<Sighting> sightings() {
    return fix == null || fix.equals(last) ? List.of(last) : List.of(last, fix);
  }

  /**
   * Parses a window: {@code 90s}, {@code 10m}, {@code 2h} or {@code 7d}.
   *
   * @throws IllegalArgumentException if it is none, or out of range
   */
  public static Duration window(String text) {
    try {
      Duration window = Duration.parse((text.endsWith("d") ? "P" : "PT") + text);
      if (isWindow(window)) {
        return window;
      }
    } catch (DateTimeParseException e) {
      // The same answer as for a duration out of range.
    }
    throw new IllegalArgumentException(
        "expected a duration such as 90s, 10m, 2h or 7d, up to %dd, found '%s'"
            .formatted(MAX_WINDOW.toDays(), text));
  }

  private static boolean isWindow(Duration window) {
    return window.compareTo(Duration.ofMillis(1)) >= 0 && window.compareTo(MAX_WINDOW) <= 0;
  }

  /**
   * Returns the time up to the newest sighting, which it includes.
   *
   * @param window 1 ms to {@link #MAX_WINDOW}
   * @throws IllegalArgumentException if it is out of range
   */
  public TimeRange before(Duration window) {
    if (!isWindow(window)) {
      throw new IllegalArgumentException(
          "window: expected 1 ms to %d days, found %s".formatted(MAX_WINDOW.toDays(), window));
    }
    Instant newest = last.timestamp();
    return new TimeRange(TimeRange.earlier(newest, window), newest.plusMillis(1));
  }

  /**
   * Returns the most exact sighting of a range. The smallest accuracy comes first, then positions
   * of the device's own of unknown accuracy, then cells' positions; among equals the newest. The
   * two of Last Known Location count too, if they are in the range: they may be stored before the
   * same records of History.
   *
   * @param range from {@link #before}
   * @param history the device's sightings in that range; they are read to the end
   */
  public Sighting mostExact(TimeRange range, SightingCursor history) {
    Sighting best = last;
    while (history.hasNext()) {
      Sighting next = history.next();
      // Of equals History's: it also has the altitude and the cell's position.
      if (next.position() != null && MOST_EXACT_FIRST.compare(next, best) <= 0) {
        best = next;
      }
    }
    if (fix != null
        && !fix.timestamp().isBefore(range.from())
        && MOST_EXACT_FIRST.compare(fix, best) < 0) {
      best = fix;
    }
    return best;
  }
}
