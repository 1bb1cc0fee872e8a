package io.lastfix.notify.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The server's metrics, by receiver. Each attempt is counted once, in {@code delivered} or in
 * {@code attempts.failed}. An alert for an action ends in {@code delivered} or in {@code
 * undelivered}; until then it is in {@code waiting}. After a restart or a rebalance, alerts may be
 * counted again.
 */
public final class NotifyMetrics {
  private static final String PREFIX = "lastfix.notify.";
  private static final String TAG = "receiver";

  private static final Duration[] BUCKETS =
      LongStream.of(100, 250, 500, 1_000, 2_000, 5_000, 10_000, 60_000, 600_000, 3_600_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;

  /** Registers its metrics there. */
  public NotifyMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers a value that is read at each scrape. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(description).register(registry);
  }

  /**
   * Returns the metrics of a receiver.
   *
   * @param waiting its unfinished alerts
   * @param oldest the age of the oldest of them, since Kafka took it; 0 if there is none
   * @param reading 1: its alerts are read; 0: they are not
   */
  public OfReceiver of(
      String receiver,
      Supplier<Number> waiting,
      Supplier<Duration> oldest,
      Supplier<Number> reading) {
    Gauge.builder(PREFIX + "reading", reading)
        .description("1: the receiver's alerts are read")
        .tag(TAG, receiver)
        .register(registry);
    Gauge.builder(PREFIX + "waiting", waiting)
        .description("Alerts that were read and are not finished")
        .tag(TAG, receiver)
        .register(registry);
    Gauge.builder(PREFIX + "oldest.age.seconds", () -> oldest.get().toMillis() / 1_000.0)
        .description("Age of the oldest of these, since Kafka took it; 0 if there is none")
        .tag(TAG, receiver)
        .register(registry);
    return new OfReceiver(
        counter("delivered", "Alerts that the receiver has", receiver),
        counter("attempts.failed", "Attempts that failed", receiver),
        counter("undelivered", "Alerts that were given up", receiver),
        counter("unreadable", "Messages of the topic that cannot be read", receiver),
        Timer.builder(PREFIX + "delivery")
            .description("Time from Kafka's taking an alert to its delivery")
            .tag(TAG, receiver)
            .serviceLevelObjectives(BUCKETS)
            .register(registry));
  }

  private Counter counter(String name, String description, String receiver) {
    return Counter.builder(PREFIX + name)
        .description(description)
        .tag(TAG, receiver)
        .register(registry);
  }

  /**
   * The metrics of one receiver.
   *
   * @param time also counts deliveries
   */
  public record OfReceiver(
      Counter delivered, Counter failed, Counter undelivered, Counter unreadable, Timer time) {}
}
