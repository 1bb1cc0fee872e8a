package io.lastfix.testcontainers;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** A wait until something is true. */
final class Waiting {
  private static final long PAUSE_MILLIS = 100;

  private Waiting() {}

  /**
   * Checks again and again.
   *
   * @param failure what is thrown if the limit passes
   */
  static <X extends Throwable> void until(
      Duration limit, BooleanSupplier condition, Supplier<X> failure) throws X {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw failure.get();
      }
      try {
        Thread.sleep(PAUSE_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw failure.get();
      }
    }
  }
}
