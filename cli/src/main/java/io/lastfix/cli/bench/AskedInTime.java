package io.lastfix.cli.bench;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Asks at moments that are fixed before, as a client does that knows nothing of the server. One
 * that only asks when the last answer is there asks less when the server is slow, and measures the
 * fewer slow answers for it (coordinated omission): here a question that has to wait for the answer
 * to the one before is as old as if it had not.
 */
final class AskedInTime {
  private final LongSupplier nanoClock;
  private final LongConsumer waitNanos;

  /**
   * @param waitNanos waits for about so long, or shorter
   */
  AskedInTime(LongSupplier nanoClock, LongConsumer waitNanos) {
    this.nanoClock = nanoClock;
    this.waitNanos = waitNanos;
  }

  /**
   * Asks until a moment.
   *
   * @param first when the first question is due, by the clock
   * @param every nanoseconds from one question to the next
   * @param end no question is due then or later
   */
  void ask(long first, double every, long end, Runnable question, Latencies latencies) {
    long due = first;
    for (long asked = 1; due < end; asked++) {
      long now = nanoClock.getAsLong();
      boolean isEarly = now < due;
      while (now < due) {
        waitNanos.accept(due - now);
        now = nanoClock.getAsLong();
      }
      // What this thread oversleeps is not the server's.
      long from = isEarly ? now : due;
      question.run();
      latencies.add(nanoClock.getAsLong() - from);
      due = first + (long) (asked * every);
    }
  }
}
