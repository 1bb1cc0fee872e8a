package io.lastfix.parse;

/** The two times that a record's timestamp is compared with, in milliseconds since 1970. */
@FunctionalInterface
public interface RecordClock {
  /** Returns the current time, which decides which partitions of History are kept. */
  long nowMillis();

  /** Returns the message's time of arrival, which decides which timestamps are too far ahead. */
  default long arrivalMillis() {
    return nowMillis();
  }
}
