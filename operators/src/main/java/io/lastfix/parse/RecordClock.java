package io.lastfix.parse;

import java.util.function.LongSupplier;

/** The two times that a record's timestamp is compared with, in milliseconds since 1970. */
public interface RecordClock {
  /** Returns the current time, which decides which partitions of History are kept. */
  long nowMillis();

  /** Returns the message's time of arrival, which decides which timestamps are too far ahead. */
  long arrivalMillis();

  /** Returns one clock for both. */
  static RecordClock of(LongSupplier clock) {
    return new RecordClock() {
      @Override
      public long nowMillis() {
        return clock.getAsLong();
      }

      @Override
      public long arrivalMillis() {
        return clock.getAsLong();
      }
    };
  }
}
