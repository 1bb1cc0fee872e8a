package io.lastfix.gateway.mqtt;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The bytes of messages that wait for Kafka's acknowledgement. Unlike the budget of HTTP's bodies,
 * it makes a caller wait if it is used up. The thread that reads from the broker then reads no
 * further, and the broker holds what it has. Thread-safe.
 */
final class InFlightBytes {
  /** What a message costs beside its bytes: the objects of both clients. */
  private static final int OVERHEAD_BYTES = 4 * 1024;

  private final int limit;
  private final Semaphore free;

  /** A budget of that many bytes. */
  InFlightBytes(int limit) {
    this.limit = limit;
    free = new Semaphore(limit);
  }

  int limit() {
    return limit;
  }

  int used() {
    return limit - free.availablePermits();
  }

  /** What a message of that size takes; one that is larger than the budget takes all of it. */
  int cost(long bytes) {
    return (int) Math.min(limit, bytes + OVERHEAD_BYTES);
  }

  /**
   * Takes bytes of the budget, and waits until it has as many.
   *
   * @return false if the time has passed
   */
  boolean take(int cost, Duration longest) throws InterruptedException {
    return free.tryAcquire(cost, longest.toNanos(), TimeUnit.NANOSECONDS);
  }

  void giveBack(int cost) {
    free.release(cost);
  }
}
