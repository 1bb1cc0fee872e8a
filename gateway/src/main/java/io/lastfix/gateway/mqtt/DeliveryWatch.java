package io.lastfix.gateway.mqtt;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Whether a connection's subscription still delivers. A broker may keep a subscription and deliver
 * nothing of it: a HiveMQ that was killed does so. So the gateway publishes a probe to the
 * subscription once it has been silent for an interval, and again until one comes back; on a new
 * connection at once. Thread-safe.
 */
final class DeliveryWatch {
  /** Parts of the interval: how long probes may take, and how often they are repeated. */
  private static final int LIMIT_PART = 3;

  private static final int PAUSE_PART = 30;

  private final String probe;
  private final Duration interval;
  private final LongSupplier nanoTime;
  private long deliveredNanos;
  private long probedNanos;
  private boolean hasDelivered;
  private boolean isProven;

  /**
   * A watch that begins now.
   *
   * @param probe topic of the subscription's probes
   * @param interval of silence before a probe
   * @param nanoTime {@code System::nanoTime}
   */
  DeliveryWatch(String probe, Duration interval, LongSupplier nanoTime) {
    this.probe = probe;
    this.interval = interval;
    this.nanoTime = nanoTime;
    restart();
  }

  /** The time before this counts as no silence: the broker could deliver nothing. */
  synchronized void restart() {
    deliveredNanos = nanoTime.getAsLong();
    probedNanos = deliveredNanos - pause();
  }

  /** Where its probes are published. */
  String probe() {
    return probe;
  }

  /** A message of the subscription has come, with a QoS that the broker queues. */
  synchronized void delivered() {
    deliveredNanos = nanoTime.getAsLong();
    hasDelivered = true;
  }

  /** A probe has come back. */
  synchronized void returned() {
    delivered();
    isProven = true;
  }

  /** Whether anything has come. */
  synchronized boolean hasDelivered() {
    return hasDelivered;
  }

  /** Whether a probe has come back. */
  synchronized boolean isProven() {
    return isProven;
  }

  /** Whether to publish a probe now; if so, it counts as published. */
  synchronized boolean takeProbe() {
    long now = nanoTime.getAsLong();
    if (now - deliveredNanos < silence() || now - probedNanos < pause()) {
      return false;
    }
    probedNanos = now;
    return true;
  }

  /** Whether no probe has come back in time. */
  synchronized boolean isOverdue() {
    return nanoTime.getAsLong() - deliveredNanos
        >= silence() + interval.dividedBy(LIMIT_PART).toNanos();
  }

  /** Until the first probe is back, what came may be no more than what the broker had held. */
  private long silence() {
    return isProven ? interval.toNanos() : 0;
  }

  private long pause() {
    return interval.dividedBy(PAUSE_PART).toNanos();
  }
}
