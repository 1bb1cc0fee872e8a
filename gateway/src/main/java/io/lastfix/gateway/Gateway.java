package io.lastfix.gateway;

import com.linecorp.armeria.server.Server;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.gateway.config.QuotaOptions;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.heartbeats.SignsOfLife;
import io.lastfix.gateway.heartbeats.Ticker;
import io.lastfix.gateway.http.Problems;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.gateway.http.RequestsInFlight;
import io.lastfix.gateway.http.Route;
import io.lastfix.gateway.http.SdkCheck;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.kafka.KafkaSender;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.TopicCheck;
import io.lastfix.gateway.metrics.GatewayMetrics;
import io.lastfix.gateway.mqtt.MqttSubscriber;
import io.lastfix.gateway.service.StateServices;
import io.lastfix.gateway.tracing.RequestTracing;
import io.lastfix.kit.kafka.KafkaWatch;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the HTTP server, the subscriber of MQTT, the producers, and the watch over
 * Kafka.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);

  /** Of registrations, so that they take nothing from records. */
  private static final long REGISTRATIONS_BUDGET_BYTES = 8L << 20;

  private final GatewayConfig config;
  private final Server server;
  private final RecordServices services;
  private final @Nullable RegisteredDevices devices;
  private final Supplier<Optional<String>> kafkaProblem;
  private final @Nullable MqttSubscriber mqtt;
  private String endpoint = "";
  private final AtomicBoolean draining = new AtomicBoolean();

  /** In the order of their end, after the server. */
  private final List<AutoCloseable> backends;

  private Gateway(
      GatewayConfig config,
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      @Nullable Quota quota,
      @Nullable RequestTracing tracing,
      Supplier<Optional<String>> kafkaProblem,
      List<AutoCloseable> backends) {
    List<String> signed = signedWays(config);
    if (!signed.isEmpty() && devices != null && devices.lacksAllKeys()) {
      throw new IllegalStateException(
          "%s is 'signed', but no key of a group is here, so every device would be refused: copy the files of lastfix group create into devices.group-keys"
              .formatted(signed.get(0)));
    }
    this.config = config;
    this.devices = devices;
    this.kafkaProblem = kafkaProblem;
    this.backends = backends;
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    services = services(config, sender, quota, tracing, new GatewayMetrics(registry));
    MqttOptions options = config.mqtt();
    mqtt =
        options == null
            ? null
            : new MqttSubscriber(
                options,
                services,
                devices == null ? null : devices.authenticator(),
                () -> unavailability(options));
    server = build(registry);
  }

  /**
   * Returns why this gateway takes no records of devices now; empty if it does. Signatures decide
   * if any way is signed, and the broker if there is no other way. Which devices use which way is
   * not known.
   */
  Optional<String> subscriptionFault() {
    return kafkaProblem
        .get()
        .or(
            () ->
                devices == null || signedWays(config).isEmpty()
                    ? Optional.empty()
                    : devices.readinessProblem())
        .or(() -> mqtt == null || config.access().isAnyOpen() ? Optional.empty() : mqtt.problem())
        .or(services.signs()::recordsProblem);
  }

  private Optional<String> unavailability(MqttOptions options) {
    boolean isJudging = options.records() == AccessMode.SIGNED && devices != null;
    return kafkaProblem.get().or(() -> isJudging ? devices.problem().get() : Optional.empty());
  }

  private static RecordServices services(
      GatewayConfig config,
      RecordSender sender,
      @Nullable Quota quota,
      @Nullable RequestTracing tracing,
      GatewayMetrics metrics) {
    ByteBudget budget = new ByteBudget(config.limits().budgetBytes());
    SecureRandom random = new SecureRandom();
    Problems problems =
        new Problems(config.limits(), budget, config.http().retryAfter(), random::nextLong);
    return new RecordServices(
        config.profiles().stream().collect(Collectors.toMap(name -> name, config.kafka()::topic)),
        config.limits(),
        budget,
        new RequestsInFlight(
            config.limits().maxRequests(), config.limits().maxRequestsPerConnection()),
        KafkaSender.longestAnswer(config.kafka()),
        new SignsOfLife(sender, config.heartbeats().topic(), metrics, InstantSource.system()),
        quota,
        new SdkCheck(config.sdk(), metrics, problems),
        problems,
        metrics,
        tracing,
        InstantSource.system());
  }

  /**
   * Looks at Kafka's topics, then opens.
   *
   * @throws IllegalStateException for the user: Kafka does not answer, a topic is missing or takes
   *     smaller records than the gateway accepts, the devices' topic cannot be read, the port is
   *     taken
   */
  public static Gateway start(GatewayConfig config) {
    Map<String, Object> client = config.kafka().clientProperties();
    client.put("client.id", "lastfix-gateway-admin");
    client.put("reconnect.backoff.max.ms", "1000");
    long startMillis = config.kafka().startTimeout().toMillis();
    client.put("default.api.timeout.ms", Long.toString(startMillis));
    client.put("request.timeout.ms", Long.toString(Math.min(startMillis, 30_000)));
    List<String> topics = config.kafka().topics(config.profiles());
    List<AutoCloseable> backends = new ArrayList<>();
    RequestTracing tracing = config.tracing() ? RequestTracing.configured(Map.of()) : null;
    if (tracing != null) {
      // Last, with the spans of the records that the sender waited for.
      backends.add(tracing);
    }
    try {
      Admin admin = Admin.create(client);
      backends.add(0, admin);
      TopicCheck check = new TopicCheck(admin, config.kafka(), config.limits().maxBytes());
      check.ensure(topics);
      String heartbeats = config.heartbeats().topic();
      check.ensureAppendTimes(heartbeats);
      KafkaSender sender =
          KafkaSender.connect(config.kafka(), config.limits(), budgetBytes(config));
      backends.add(0, sender);
      // Without the topic of heartbeats: while it cannot be written, records still are.
      List<String> watched = new ArrayList<>(topics);
      Quota quota = quota(config);
      RegisteredDevices devices = null;
      if (config.devices().enabled()) {
        devices = devices(config, admin, quota);
        backends.add(0, devices);
        watched.add(config.devices().topic());
      }
      KafkaWatch watch = new KafkaWatch(admin, watched, WATCH_INTERVAL);
      // It closes the admin client.
      backends.set(backends.indexOf(admin), watch);
      Gateway gateway =
          new Gateway(
                  config,
                  sender,
                  devices,
                  quota,
                  tracing,
                  () -> sender.problem().or(watch::problem),
                  backends)
              .open();
      // Last, and ended first: ticks mean that this gateway takes requests.
      backends.add(
          0,
          new Ticker(
              sender,
              heartbeats,
              () -> sender.partitions(heartbeats),
              gateway::subscriptionFault,
              "gateway-" + ProcessHandle.current().pid(),
              config.heartbeats().tickInterval()));
      return gateway;
    } catch (KafkaException e) {
      closeAll(backends);
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "Kafka's client does not accept the settings: %s; check kafka.bootstrap-servers and kafka.properties"
              .formatted(cause.getMessage()),
          e);
    } catch (RuntimeException e) {
      closeAll(backends);
      throw e;
    }
  }

  private static @Nullable Quota quota(GatewayConfig config) {
    QuotaOptions options = config.quota();
    return options == null ? null : new Quota(options, InstantSource.system());
  }

  /** What may wait for Kafka, over HTTP and MQTT together. */
  private static long budgetBytes(GatewayConfig config) {
    MqttOptions options = config.mqtt();
    return (long) config.limits().budgetBytes() + (options == null ? 0 : options.budgetBytes());
  }

  private static RegisteredDevices devices(
      GatewayConfig config, Admin admin, @Nullable Quota quota) {
    KafkaOptions kafka = config.kafka();
    new DevicesTopic(
            kafka.bootstrapServers(),
            config.devices().topic(),
            kafka.partitions(),
            kafka.replication())
        .ensure(admin, kafka.createTopics());
    return RegisteredDevices.follow(
        config.devices(), kafka, quota == null ? usage -> {} : quota::published);
  }

  /**
   * Opens with parts that run already.
   *
   * @param devices null: no device registers or signs
   * @param tracing closed by the caller; null: no request is traced
   * @param kafkaProblem what is wrong with Kafka; empty if nothing is
   * @param backends closed after the server, in this order
   */
  static Gateway start(
      GatewayConfig config,
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      @Nullable RequestTracing tracing,
      Supplier<Optional<String>> kafkaProblem,
      List<AutoCloseable> backends) {
    return new Gateway(config, sender, devices, quota(config), tracing, kafkaProblem, backends)
        .open();
  }

  private Gateway open() {
    try {
      server.start().join();
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "cannot listen on %s port %d: %s; choose another http.port"
              .formatted(config.http().address(), config.http().port(), cause.getMessage()),
          e);
    }
    endpoint =
        "%s://%s:%d"
            .formatted(
                config.http().tls() == null ? "http" : "https",
                config.http().address(),
                server.activeLocalPort());
    LOG.info("listening on {}", endpoint);
    if (mqtt != null) {
      try {
        mqtt.start();
      } catch (IllegalStateException e) {
        server.stop().join();
        throw e;
      }
    }
    return this;
  }

  /** The keys of what has to be signed. */
  private static List<String> signedWays(GatewayConfig config) {
    List<String> keys = new ArrayList<>();
    if (config.access().of(RecordsRoute.NAME) == AccessMode.SIGNED) {
      keys.add("access.records");
    }
    MqttOptions options = config.mqtt();
    if (options != null && options.records() == AccessMode.SIGNED) {
      keys.add("mqtt.records");
    }
    return keys;
  }

  private Server build(PrometheusMeterRegistry registry) {
    Gauges gauges = new Gauges(services.metrics());
    WriteRoutes writes = new WriteRoutes(config, services, devices);
    List<Route> routes = new ArrayList<>(writes.ofRecords());
    routes.addAll(writes.ofHeartbeats());
    routes.add(writes.ofOpenSchema());
    if (devices != null) {
      ByteBudget registrations =
          new ByteBudget(Math.max(REGISTRATIONS_BUDGET_BYTES, 2L * config.limits().maxBytes()));
      routes.add(writes.ofRegistrations(devices, registrations));
      gauges.ofDevices(devices, registrations);
    }
    routes.addAll(stateRoutes(registry));
    Server built = HttpServer.of(config, services.problems(), services.inFlight(), routes);
    gauges.ofRequests(services.budget(), services.inFlight(), built);
    gauges.ofQuota(services.quota());
    gauges.ofKafka(kafkaProblem);
    return built;
  }

  private List<Route> stateRoutes(PrometheusMeterRegistry registry) {
    Quota quota = services.quota();
    return List.of(
        Route.get(
            "/health", StateServices.health(mqtt == null ? Optional::empty : mqtt::restartReason)),
        Route.get(
            "/ready",
            StateServices.ready(
                draining::get,
                kafkaProblem,
                devices == null ? Optional::empty : devices::readinessProblem,
                devices == null ? List::of : devices.groupsWithoutKey(),
                quota == null ? List::of : quota::over,
                config.http().isLocal(),
                mqtt == null ? Map::of : mqtt::state)),
        Route.get("/metrics", StateServices.metrics(registry)));
  }

  /** The address for clients on this machine. */
  public String endpoint() {
    return endpoint;
  }

  ByteBudget budget() {
    return services.budget();
  }

  /**
   * Stops in three steps. As a lame duck it takes requests, and each answer is the last one of its
   * connection; then it refuses new requests, and open ones get their answers; then it closes.
   * Further calls do nothing.
   */
  @Override
  public void close() {
    if (!draining.compareAndSet(false, true)) {
      return;
    }
    LOG.info("stopping; /ready answers 503, open requests get their answers");
    services.inFlight().endConnections();
    waitAsLameDuck();
    services.inFlight().refuseFurther();
    long deadline = System.nanoTime() + config.http().drainTimeout().toNanos();
    if (mqtt != null) {
      mqtt.stopTaking();
    }
    try {
      awaitAnswers();
      server.stop().join();
      if (mqtt != null) {
        mqtt.close(Duration.ofNanos(Math.max(0, deadline - System.nanoTime())));
      }
    } finally {
      closeAll(backends);
    }
    LOG.info("stopped");
  }

  private void awaitAnswers() {
    try {
      services.inFlight().awaitAnswers(config.http().drainTimeout().minus(HttpServer.QUIET));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void waitAsLameDuck() {
    try {
      TimeUnit.MILLISECONDS.sleep(config.http().lameDuck().toMillis());
    } catch (InterruptedException e) {
      // An interrupted caller does not wait for the end.
      Thread.currentThread().interrupt();
    }
  }

  private static void closeAll(List<AutoCloseable> all) {
    for (AutoCloseable one : Collections.unmodifiableList(all)) {
      try {
        one.close();
      } catch (Exception e) {
        LOG.warn("cannot close {}", one.getClass().getSimpleName(), e);
      }
    }
  }
}
