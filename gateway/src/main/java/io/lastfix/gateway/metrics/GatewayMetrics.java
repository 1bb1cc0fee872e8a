package io.lastfix.gateway.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.LongStream;

/**
 * The gateway's metrics. Each request of a route is counted once in {@code answers}, by its status;
 * those with a status below 300 are also in {@code records}, unless they held nothing to store, and
 * all others are also in {@code refused}, by their problem. A request whose client went away is in
 * {@code abandoned} only.
 *
 * <p>Each message of MQTT that the broker has delivered is counted once in {@code mqtt.received};
 * once it is decided also in one of {@code records} (Kafka has it), {@code signs} (Kafka has a
 * heartbeat or a bye of a topic of its own), {@code refused} (it can never be stored), {@code
 * mqtt.waits.for.key} and {@code mqtt.not.stored} (the broker delivers it again).
 */
public final class GatewayMetrics {
  private static final String PREFIX = "lastfix.gateway.";

  /** A client chooses its own name: without a bound, a client could fill the memory. */
  static final int MAX_CLIENTS = 500;

  private static final Duration[] BUCKETS =
      LongStream.of(5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry registry;
  private final Set<String> clients = ConcurrentHashMap.newKeySet();
  private final Set<String> configuredClients = ConcurrentHashMap.newKeySet();
  private final Map<String, Counter> counters = new ConcurrentHashMap<>();
  private final Map<String, Timer> timers = new ConcurrentHashMap<>();

  /** Registers its metrics there. */
  public GatewayMetrics(MeterRegistry registry) {
    this.registry = registry;
  }

  /** Registers a value that is read at each scrape. */
  public void gauge(String name, String description, Supplier<Number> value) {
    Gauge.builder(PREFIX + name, value).description(description).register(registry);
  }

  /** An answer, with the time since its request's head. */
  public void answered(String route, int status, Duration taken) {
    counter("answers", "Answers, by route and status", "route", route, "status", "" + status)
        .increment();
    timer("request", "Time from a request's head to its answer", "route", route).record(taken);
  }

  /** A record that Kafka has acknowledged. */
  public void stored(String route, String profile, int bytes) {
    counter("records", "Messages that Kafka has acknowledged", "route", route, "profile", profile)
        .increment();
    counter(
            "record.bytes",
            "Bytes of these messages, as they came over the wire",
            "route",
            route,
            "profile",
            profile)
        .increment(bytes);
  }

  /**
   * A sign of life that Kafka has acknowledged: {@code record}, {@code heartbeat} or {@code bye}.
   */
  public void sign(String kind) {
    counter("signs", "Signs of life that Kafka has acknowledged", "kind", kind).increment();
  }

  /** A sign of life of a record that could not be written; the record is stored all the same. */
  public void signLost() {
    counter("signs.lost", "Signs of life of stored records that could not be written").increment();
  }

  /** A request that was refused. */
  public void refused(String route, String problem) {
    counter("refused", "Requests that were refused, by problem", "route", route, "problem", problem)
        .increment();
  }

  /** A request whose client went away before its answer. */
  public void abandoned(String route) {
    counter("abandoned", "Requests whose client went away", "route", route).increment();
  }

  /** A message that the broker has delivered. */
  public void mqttReceived() {
    counter("mqtt.received", "Messages that the broker has delivered").increment();
  }

  /** A message that Kafka has acknowledged, with the time since its arrival. */
  public void mqttAcknowledged(Duration taken) {
    timer("mqtt.acknowledgement", "Time from a message's arrival to Kafka's acknowledgement")
        .record(taken);
  }

  /** A message that Kafka has not acknowledged, so that the broker has to deliver it again. */
  public void mqttNotStored() {
    mqttNotStoredCounter().increment();
  }

  /**
   * Counts a message that names a group's key which this gateway lacks. Every client that may
   * publish can write one, so no alert uses this counter.
   */
  public void mqttWaitsForKey() {
    counter(
            "mqtt.waits.for.key",
            "Messages of an absent group key that the broker has to deliver again")
        .increment();
  }

  /**
   * Registers the counters at the start: Prometheus cannot compute the growth of a counter that
   * begins with 1.
   */
  public void registerMqtt() {
    var unused = List.of(mqttNotStoredCounter(), takenOverCounter(), silentCounter());
  }

  /** Another client has taken over the session at the broker, or the broker has lost it. */
  public void mqttTakenOver() {
    takenOverCounter().increment();
  }

  private Counter takenOverCounter() {
    return counter("mqtt.taken.over", "Times that the session was taken over or lost");
  }

  /** A connection has ended, because the broker delivered nothing. */
  public void mqttSilent() {
    silentCounter().increment();
  }

  private Counter silentCounter() {
    return counter("mqtt.silent", "Connections ended because not even a probe came back");
  }

  private Counter mqttNotStoredCounter() {
    return counter("mqtt.not.stored", "Messages that the broker has to deliver again");
  }

  /** An attempt to connect to the broker. */
  public void mqttConnection(String outcome) {
    counter("mqtt.connections", "Attempts to connect to the broker, by outcome", "outcome", outcome)
        .increment();
  }

  /**
   * A request of a client that names itself. After {@link #MAX_CLIENTS} different ones, all others
   * are counted together.
   *
   * @param isConfigured whether the configuration names the client; such clients have a number of
   *     their own, because a client without authentication can fill the other
   */
  public void client(String client, String version, boolean accepted, boolean isConfigured) {
    String name = client + '/' + version;
    Set<String> known = isConfigured ? configuredClients : clients;
    boolean isKnown = known.contains(name) || (known.size() < MAX_CLIENTS && known.add(name));
    counter(
            "clients",
            "Requests by client and version, as the header Lastfix-SDK says",
            "client",
            isKnown ? client : "other",
            "version",
            isKnown ? version : "other",
            "accepted",
            Boolean.toString(accepted))
        .increment();
  }

  private Timer timer(String name, String description, String... tags) {
    return timers.computeIfAbsent(
        name + '\n' + String.join("\n", tags),
        key ->
            Timer.builder(PREFIX + name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(BUCKETS)
                .register(registry));
  }

  private Counter counter(String name, String description, String... tags) {
    return counters.computeIfAbsent(
        name + '\n' + String.join("\n", tags),
        key ->
            Counter.builder(PREFIX + name).description(description).tags(tags).register(registry));
  }
}
