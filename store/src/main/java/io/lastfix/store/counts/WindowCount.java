package io.lastfix.store.counts;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * How many records of a group have their timestamp in a window.
 *
 * @param windowMillis the window's first instant, in milliseconds since 1970-01-01T00:00:00Z, a
 *     multiple of {@link #WINDOW_MILLIS}
 * @param by what is counted by
 * @param key the group
 * @param n the number of distinct records, 1 or more
 * @param state how complete the number is
 * @param rev from the stream, how often this number was published before; from History, the time of
 *     that count in milliseconds since 1970
 */
public record WindowCount(
    long windowMillis, CountBy by, String key, long n, State state, long rev) {
  /** The length of every window. */
  public static final long WINDOW_MILLIS = 10_000;

  /**
   * How complete a number is. Of the names, the more complete one is the smaller text, so that
   * {@code $min} of MongoDB never takes a step back.
   */
  public enum State {
    /** More records are expected. */
    OPEN,
    /** Event time has passed the window's end; a record that is late by an hour still counts. */
    CLOSED,
    /** Counted from History. */
    BATCH;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** Returns the name in documents and messages. */
    public String text() {
      return text;
    }

    /**
     * Returns the state with that name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static State ofText(String text) {
      return Arrays.stream(values())
          .filter(state -> state.text.equals(text))
          .findFirst()
          .orElseThrow(
              () ->
                  new IllegalArgumentException(
                      "state: expected open, closed or batch, found " + text));
    }
  }

  /** Identifies the number, whatever its value and state. */
  public record Id(long windowMillis, CountBy by, String key) {}

  /** Returns which number it is. */
  public Id id() {
    return new Id(windowMillis, by, key);
  }

  public WindowCount {
    Objects.requireNonNull(by, "by");
    Objects.requireNonNull(key, "key");
    Objects.requireNonNull(state, "state");
  }

  /** Returns the last instant of a window by its first one, both in milliseconds since 1970. */
  public static long lastInstantOf(long windowMillis) {
    return windowMillis + WINDOW_MILLIS - 1;
  }

  /** Returns the first instant of the window that contains the timestamp, both in milliseconds. */
  public static long windowOf(long timestampMillis) {
    return timestampMillis - Math.floorMod(timestampMillis, WINDOW_MILLIS);
  }
}
