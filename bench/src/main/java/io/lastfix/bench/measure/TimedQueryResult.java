package io.lastfix.bench.measure;

import io.lastfix.bench.load.Latencies;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Sends queries at instants fixed in advance, like clients that do not depend on the server's
 * speed.
 *
 * <p>A client that waits for each answer sends fewer queries to a slow server, and so measures
 * fewer slow answers (coordinated omission). Here, the latency of a query includes its wait for the
 * answer before it.
 */
public final class TimedQueryResult {
  private final LongSupplier nanoClock;
  private final LongConsumer waitNanos;

  /**
   * @param waitNanos waits for about that duration, or shorter
   */
  public TimedQueryResult(LongSupplier nanoClock, LongConsumer waitNanos) {
    this.nanoClock = nanoClock;
    this.waitNanos = waitNanos;
  }

  /**
   * Queries until an instant. A query that was due by then and could not be sent counts as a
   * latency too, up to the end.
   *
   * @param first when the first query is due, by the clock
   * @param interval nanoseconds between queries
   * @param end no query is sent at or after it
   * @return the number of answered queries
   */
  public long run(long first, double interval, long end, Runnable query, Latencies latencies) {
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
        query.run();
        // The thread's oversleep is not the server's latency.
        latencies.add(nanoClock.getAsLong() - (isEarly ? now : due));
        answered++;
      } else if (!isEarly) {
        latencies.add(end - due);
      }
      due = first + (long) (next * interval);
    }
    return answered;
  }
}
