package io.lastfix.store.connect;

import java.time.Duration;

/**
 * Range checks shared by the options. Each message names the value, the expected range and the
 * value found.
 */
public final class ArgumentChecks {
  private ArgumentChecks() {}

  /** Throws an {@link IllegalArgumentException} that names the value if it is out of range. */
  public static void atLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(
          "%s: expected %d or more, found %d".formatted(name, least, value));
    }
  }

  /**
   * Throws an {@link IllegalArgumentException} that names the value if it is below 1 ms, since
   * timers and sockets count in whole milliseconds.
   */
  public static void atLeastOneMilli(String name, Duration value) {
    if (value.compareTo(Duration.ofMillis(1)) < 0) {
      throw new IllegalArgumentException(
          "%s: expected 1 ms or more, found %s".formatted(name, value));
    }
  }

  /** Throws an {@link IllegalArgumentException} that names the value if it is out of range. */
  public static void notBlank(String name, String value) {
    if (value.isBlank()) {
      throw new IllegalArgumentException(name + ": expected a text, found nothing");
    }
  }

  /**
   * Throws an {@link IllegalArgumentException} if the value cannot name a database or collection.
   * The pattern is slightly stricter than MongoDB's rules.
   */
  public static void isName(String name, String value) {
    if (!value.matches("[A-Za-z0-9_-]{1,60}")) {
      throw new IllegalArgumentException(
          "%s: expected 1 to 60 letters, digits, _ or -, found \"%s\"".formatted(name, value));
    }
  }
}
