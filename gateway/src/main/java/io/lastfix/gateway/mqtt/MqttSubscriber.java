package io.lastfix.gateway.mqtt;

import com.hivemq.client.mqtt.MqttClientSslConfig;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.gateway.devices.SignedRequestAuthenticator;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.metrics.GatewayMetrics;
import io.lastfix.kit.poll.Backoff;
import io.lastfix.kit.poll.Poll;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the gateway connected to its broker, with one connection after the other, on a thread of
 * its own.
 *
 * <p>While Kafka does not answer, or decisions about devices are not heard, it makes no new
 * connection: the broker holds the messages, or gives them to another gateway.
 */
public final class MqttSubscriber {
  private static final Logger LOG = LoggerFactory.getLogger(MqttSubscriber.class);
  private static final Duration FIRST_PAUSE = Duration.ofMillis(250);
  private static final Duration STEP = Duration.ofMillis(100);

  /**
   * Connections in a row, each of which delivered nothing at all, after which only a new process
   * may help.
   */
  private static final int SILENT_CONNECTIONS = 3;

  private final MqttOptions options;
  private final ClientId clientId;
  private final @Nullable MqttClientSslConfig tls;
  private final RecordServices services;
  private final Supplier<Optional<String>> unavailability;
  private final InFlightBytes budget;
  private final MqttHandler handler;
  private final Thread thread;
  private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();
  private final CountDownLatch closing = new CountDownLatch(1);
  private volatile @Nullable MqttConnection connection;
  private volatile Optional<String> problem = Optional.of("not connected yet");
  private volatile boolean isSuspect;
  private volatile int silentConnections;
  private volatile boolean hasEverBeenProven;
  private volatile @Nullable Instant takenOver;

  /** Whether the broker should have it at the next connection. */
  private boolean hasSession;

  /**
   * A subscriber that is not started.
   *
   * @param devices that may sign; null only if records need no signature
   * @param unavailability why no message could be stored or judged at present; empty if it could
   * @throws IllegalStateException for the user: the broker's certificates or the file of the client
   *     id cannot be used
   */
  public MqttSubscriber(
      MqttOptions options,
      RecordServices services,
      @Nullable SignedRequestAuthenticator devices,
      Supplier<Optional<String>> unavailability) {
    this.options = options;
    this.services = services;
    this.unavailability = unavailability;
    clientId = ClientId.of(options.session().clientIdFile());
    tls = options.broker().tls() ? BrokerCertificates.sslConfig(options.ca()) : null;
    budget = new InFlightBytes(options.budgetBytes());
    handler =
        new MqttHandler(
            new MqttAdmission(
                services,
                options.records(),
                options.owntracks(),
                devices == null ? null : devices.withMaxAge(options.signatureAge())),
            services,
            budget,
            options.keyWait());
    thread = new Thread(this::run, "mqtt-connect");
    thread.setDaemon(true);
    register(services.metrics());
  }

  private void register(GatewayMetrics metrics) {
    metrics.registerMqtt();
    metrics.gauge(
        "mqtt.connected", "1: connected to the broker", () -> problem().isEmpty() ? 1 : 0);
    metrics.gauge("mqtt.in.flight", "Messages that wait for Kafka", handler::inFlight);
    metrics.gauge("mqtt.budget.bytes", "Bytes that these may have", budget::limit);
    metrics.gauge("mqtt.budget.used.bytes", "Bytes that they have", budget::used);
  }

  /**
   * Connects. Returns also if the broker does not answer; it is tried again then.
   *
   * @throws IllegalStateException for the user: the broker does not grant what the gateway needs
   */
  public void start() {
    thread.start();
    try {
      firstAttempt.join();
    } catch (CompletionException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(cause.getMessage(), cause);
    }
  }

  /**
   * Why nothing comes from the broker; empty if it delivers. After a connection that has fallen
   * silent, only a probe that comes back ends that.
   */
  public Optional<String> problem() {
    MqttConnection open = connection;
    Optional<String> known = problem;
    if (known.isPresent() || open == null) {
      return known;
    }
    boolean isWorking = isSuspect ? open.isProven() : open.hasDelivered();
    return isWorking
        ? Optional.empty()
        : Optional.of(
            "connected, but the MQTT broker at %s has not delivered the gateway's own probe yet"
                .formatted(options.broker()));
  }

  /**
   * What {@code /ready} shows: {@code mqtt} with {@link #problem()}, and {@code mqttTakenOver} with
   * the last time since the start at which another client took over the session, or the broker had
   * lost it.
   */
  public Map<String, String> state() {
    Map<String, String> state = new LinkedHashMap<>();
    state.put("mqtt", problem().orElse("ready"));
    Instant last = takenOver;
    if (last != null) {
      state.put("mqttTakenOver", last.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    return state;
  }

  /**
   * Why this process should be started again; empty if it should not. The broker takes connections
   * and delivers nothing: a broker that is away is no reason. Nor is one that has never delivered a
   * probe to this process: the next one would be no better, and requests over HTTP would suffer.
   */
  public Optional<String> restartReason() {
    MqttConnection open = connection;
    return !hasEverBeenProven
            || silentConnections < SILENT_CONNECTIONS
            || (open != null && open.hasDeliveredAny())
        ? Optional.empty()
        : Optional.of(
            "the MQTT broker at %s has delivered nothing on %d connections in a row"
                .formatted(options.broker(), silentConnections));
  }

  private void run() {
    Backoff backoff = new Backoff(FIRST_PAUSE, options.session().longestPause());
    Duration pause = FIRST_PAUSE;
    try {
      while (!isClosing()) {
        boolean wasOfUse = attempt();
        pause = wasOfUse ? FIRST_PAUSE : backoff.longer(pause);
        pause(pause);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Makes one attempt. An unexpected failure ends this one, and no later one. */
  private boolean attempt() throws InterruptedException {
    try {
      awaitAvailability();
      return connectOnce();
    } catch (RuntimeException | Error e) {
      LOG.error("the connection to the MQTT broker has failed; it is tried again", e);
      services.metrics().mqttConnection("failed");
      problem = Optional.of("not connected: unexpected failure; the gateway's log has the cause");
      firstAttempt.complete(null);
      return false;
    }
  }

  /** Returns whether the connection was of use. */
  private boolean connectOnce() throws InterruptedException {
    MqttConnection next = new MqttConnection(options, clientId, tls, services, handler);
    connection = next;
    if (isClosing()) {
      return false;
    }
    try {
      boolean isResumed = next.open();
      if (hasSession && !isResumed) {
        sessionLost();
      }
      hasSession = true;
      services.metrics().mqttConnection("connected");
      LOG.info(
          "connected to the MQTT broker at {} with {}, session {}",
          options.broker(),
          clientId,
          isResumed ? "resumed" : "new");
      problem = Optional.empty();
      firstAttempt.complete(null);
      String reason = next.awaitEnd();
      problem = Optional.of("not connected: " + reason);
      if (!isClosing()) {
        LOG.warn("the MQTT connection has ended: {}", reason);
      }
    } catch (BrokerException e) {
      services.metrics().mqttConnection(e.isRefusal() ? "refused" : "failed");
      String line = String.valueOf(e.getMessage());
      if (problem.filter(it -> it.endsWith(line)).isEmpty()) {
        LOG.warn("{}", line);
      }
      problem = Optional.of("not connected: " + line);
      if (e.isRefusal() && firstAttempt.completeExceptionally(e)) {
        closing.countDown();
      }
      firstAttempt.complete(null);
    }
    judge(next);
    return next.wasOfUse();
  }

  /** Not every broker notifies a client that another one has taken its session. */
  private void sessionLost() {
    takenOver = services.clock().instant();
    services.metrics().mqttTakenOver();
    LOG.warn(
        "another client has taken over this gateway's session at the MQTT broker at {}, or the broker"
            + " has lost it: what it held may be lost",
        options.broker());
  }

  /** What the end of a connection shows about the broker. */
  private void judge(MqttConnection ended) {
    if (ended.wasTakenOver()) {
      sessionLost();
      hasSession = false;
    }
    if (ended.isProven()) {
      isSuspect = false;
    }
    if (ended.isSilent()) {
      isSuspect = true;
      services.metrics().mqttSilent();
    }
    if (ended.isProvenAny()) {
      hasEverBeenProven = true;
    }
    silentConnections = ended.isSilent() && !ended.hasDeliveredAny() ? silentConnections + 1 : 0;
  }

  private void awaitAvailability() throws InterruptedException {
    Optional<String> found = unavailability.get();
    while (found.isPresent() && firstAttempt.isDone() && !isClosing()) {
      problem = found.map("not connected, because the gateway is not ready: "::concat);
      closing.await(STEP.toMillis(), TimeUnit.MILLISECONDS);
      found = unavailability.get();
    }
  }

  /** Half to all of it, so that several gateways do not return at once. */
  private void pause(Duration pause) throws InterruptedException {
    long millis = pause.toMillis();
    var unused =
        closing.await(
            millis / 2 + ThreadLocalRandom.current().nextLong(millis / 2 + 1),
            TimeUnit.MILLISECONDS);
  }

  private boolean isClosing() {
    return closing.getCount() == 0;
  }

  /** Takes no further messages. Those taken wait for Kafka, and are acknowledged. */
  public void stopTaking() {
    closing.countDown();
    MqttConnection open = connection;
    if (open != null) {
      open.ignoreNew();
    }
  }

  /**
   * Waits until the messages that were taken are acknowledged, then disconnects. The broker keeps
   * the session.
   *
   * @param longest time for that
   */
  public void close(Duration longest) {
    stopTaking();
    try {
      var unused = Poll.until(STEP.dividedBy(5), longest, handler::inFlight, count -> count == 0);
      MqttConnection open = connection;
      if (open != null) {
        open.close();
      }
      thread.join(STEP.toMillis() * 10);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    problem = Optional.of("closed");
  }
}
