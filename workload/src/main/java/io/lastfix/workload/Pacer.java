package io.lastfix.workload;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Limits a sender to a rate, evenly rather than in bursts. A delayed sender catches up by at most
 * {@link #MAX_CATCH_UP_NANOS}; the rest of a delay is skipped, so that no flood follows.
 */
public final class Pacer {
  static final long MAX_CATCH_UP_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  /** Shorter waits cost more than they smooth. */
  private static final long MIN_WAIT_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final double nanosPerRecord;
  private final LongSupplier nanoClock;
  private final LongConsumer waitNanos;
  private double dueNanos;

  private Pacer(double nanosPerRecord, LongSupplier nanoClock, LongConsumer waitNanos) {
    this.nanosPerRecord = nanosPerRecord;
    this.nanoClock = nanoClock;
    this.waitNanos = waitNanos;
    dueNanos = nanoClock.getAsLong();
  }

  /** A pacer without a limit. */
  public static Pacer unlimited() {
    return new Pacer(0, () -> 0, nanos -> {});
  }

  /** A rate in records a second, by the system's clock. */
  public static Pacer ofRate(double recordsPerSecond) {
    return ofRate(recordsPerSecond, System::nanoTime, LockSupport::parkNanos);
  }

  public static Pacer ofRate(
      double recordsPerSecond, LongSupplier nanoClock, LongConsumer waitNanos) {
    if (!(recordsPerSecond > 0)) {
      throw new IllegalArgumentException(
          "rate: expected more than 0 records a second, found " + recordsPerSecond);
    }
    return new Pacer(TimeUnit.SECONDS.toNanos(1) / recordsPerSecond, nanoClock, waitNanos);
  }

  /** Waits until the next records may be sent, then counts them. */
  void await(int records) {
    if (nanosPerRecord == 0) {
      return;
    }
    double ahead = dueNanos - nanoClock.getAsLong();
    while (ahead >= MIN_WAIT_NANOS && !Thread.currentThread().isInterrupted()) {
      waitNanos.accept((long) ahead);
      ahead = dueNanos - nanoClock.getAsLong();
    }
    if (ahead < -MAX_CATCH_UP_NANOS) {
      dueNanos -= ahead + MAX_CATCH_UP_NANOS;
    }
    dueNanos += records * nanosPerRecord;
  }
}
