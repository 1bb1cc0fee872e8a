package io.lastfix.parse;

import java.util.function.LongSupplier;

/** The two times that a record's own time is judged against, in milliseconds since 1970. */
public interface RecordClock {
  /** Now: decides which partitions of History are kept. */
  long nowMillis();

  /** When the message came: decides what is too far ahead. */
  long arrivalMillis();

  /** One clock for both. */
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
