package io.lastfix.analytics.counts;

import io.lastfix.store.counts.CountBy;

/**
 * What Flink keys counts by, and Kafka their messages: {@code by:group}. No name of {@link CountBy}
 * has a colon.
 */
public final class CountKey {
  private static final char SEPARATOR = ':';

  private CountKey() {}

  /** Returns the key of a group. */
  public static String of(CountBy by, String group) {
    return by.text() + SEPARATOR + group;
  }

  static CountBy by(String key) {
    return CountBy.ofText(key.substring(0, key.indexOf(SEPARATOR)));
  }

  static String group(String key) {
    return key.substring(key.indexOf(SEPARATOR) + 1);
  }
}
