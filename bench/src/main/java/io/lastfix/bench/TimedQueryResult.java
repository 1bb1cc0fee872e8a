package io.lastfix.bench;

import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Asks at moments that are fixed before, as a client does that knows nothing of the server. One
 * that only asks when the last answer is there asks less when the server is slow, and measures the
 * fewer slow answers for it (coordinated omission): here a question that has to wait for the answer
 * to the one before is as old as if it had not.
 */
final class TimedQueryResult {
  private final LongSupplier nanoClock;
  private final LongConsumer waitNanos;

  /**
   * @param waitNanos waits for about so long, or shorter
   */
  TimedQueryResult(LongSupplier nanoClock, LongConsumer waitNanos) {
    this.nanoClock = nanoClock;
    this.waitNanos = waitNanos;
  }

  /**
   * Asks until a moment. What was due by then and could not be asked any more counts as a latency
   * too, as old as it was at the end.
   *
   * @param first when the first question is due, by the clock
   * @param every nanoseconds from one question to the next
   * @param end no question is asked then or later
   * @return the questions that were answered
   */
  long ask(long first, double every, long end, Runnable question, Latencies latencies) {
    long answered = 0;
    long due = first;
    for (long next = 1; due < end; next++) {
      long now = nanoClock.getAsLong();
      boolean isEarly = now < due;
      while (now < due) {
        waitNanos.accept(due - now);
        now = nanoClock.getAsLong();
      }
      if (now < end) {
        question.run();
        // What this thread oversleeps is not the server's.
        latencies.add(nanoClock.getAsLong() - (isEarly ? now : due));
        answered++;
      } else if (!isEarly) {
        latencies.add(end - due);
      }
      due = first + (long) (next * every);
    }
    return answered;
  }
}
