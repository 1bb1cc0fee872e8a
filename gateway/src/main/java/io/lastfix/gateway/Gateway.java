package io.lastfix.gateway;

import com.linecorp.armeria.common.HttpMethod;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.lastfix.gateway.clients.OpenSchemaRoute;
import io.lastfix.gateway.clients.OsmandRoute;
import io.lastfix.gateway.clients.OwnTracksRoute;
import io.lastfix.gateway.config.AccessMode;
import io.lastfix.gateway.config.DevicesOptions;
import io.lastfix.gateway.config.GatewayConfig;
import io.lastfix.gateway.config.HttpOptions;
import io.lastfix.gateway.config.KafkaOptions;
import io.lastfix.gateway.config.MqttOptions;
import io.lastfix.gateway.config.QuotaOptions;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.DevicesTopicException;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.heartbeats.Quota;
import io.lastfix.gateway.heartbeats.SignsOfLife;
import io.lastfix.gateway.heartbeats.Ticker;
import io.lastfix.gateway.http.BasicAuthenticator;
import io.lastfix.gateway.http.C2Service;
import io.lastfix.gateway.http.CanonicalRequests;
import io.lastfix.gateway.http.ContinueHandler;
import io.lastfix.gateway.http.DevicesService;
import io.lastfix.gateway.http.HeartbeatService;
import io.lastfix.gateway.http.NoPages;
import io.lastfix.gateway.http.OpenSchemaRegistrationService;
import io.lastfix.gateway.http.ProblemErrorHandler;
import io.lastfix.gateway.http.Problems;
import io.lastfix.gateway.http.RecordRoute;
import io.lastfix.gateway.http.RecordService;
import io.lastfix.gateway.http.RecordServices;
import io.lastfix.gateway.http.RecordsRoute;
import io.lastfix.gateway.http.RequestAuthenticator;
import io.lastfix.gateway.http.RequestHead;
import io.lastfix.gateway.http.RequestsInFlight;
import io.lastfix.gateway.http.SdkCheck;
import io.lastfix.gateway.http.SharedPasswordAuthenticator;
import io.lastfix.gateway.http.SignedAuthenticator;
import io.lastfix.gateway.http.StateServices;
import io.lastfix.gateway.http.StrictRequests;
import io.lastfix.gateway.http.UnreadBody;
import io.lastfix.gateway.http.UnsignedAuthenticator;
import io.lastfix.gateway.kafka.ByteBudget;
import io.lastfix.gateway.kafka.KafkaSender;
import io.lastfix.gateway.kafka.KafkaWatch;
import io.lastfix.gateway.kafka.RecordSender;
import io.lastfix.gateway.kafka.TopicCheck;
import io.lastfix.gateway.metrics.GatewayMetrics;
import io.lastfix.gateway.mqtt.MqttSubscriber;
import io.lastfix.gateway.tracing.RequestTracing;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.EventLoopGroup;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A running gateway: the HTTP server, the subscriber of MQTT, the one producer, and the watch over
 * Kafka.
 */
public final class Gateway implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Gateway.class);
  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(2);
  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /** Of registrations, so that they take nothing from records. */
  private static final long REGISTRATIONS_BUDGET_BYTES = 8L << 20;

  /**
   * How long a stopping gateway waits after its last answer. It refuses a request that was already
   * on its way.
   */
  private static final Duration QUIET = Duration.ofMillis(500);

  /** Clients that connect again and again do not prolong a stop further. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(1);

  private static final Duration ACCEPT_LOOP_END = Duration.ofSeconds(5);

  private final GatewayConfig config;
  private final Server server;
  private final ByteBudget budget;
  private final RequestsInFlight inFlight;
  private final Supplier<String> subscriptionFault;
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
      Supplier<String> kafkaProblem,
      List<AutoCloseable> backends) {
    this.config = config;
    this.backends = backends;
    budget = new ByteBudget(config.limits().budgetBytes());
    inFlight =
        new RequestsInFlight(
            config.limits().maxRequests(), config.limits().maxRequestsPerConnection());
    PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    RecordServices services = services(sender, quota, tracing, new GatewayMetrics(registry));
    MqttOptions options = config.mqtt();
    mqtt =
        options == null
            ? null
            : new MqttSubscriber(
                options,
                services,
                devices == null ? null : devices.authenticator(),
                () -> unavailability(options, kafkaProblem, devices));
    server = build(services, devices, quota, kafkaProblem, registry);
    subscriptionFault = () -> subscriptionFault(services.signs(), devices, kafkaProblem);
  }

  /**
   * Why this gateway takes no records of devices now; empty if it does. Signatures decide if any
   * way is signed, and the broker if there is no other way: nobody can say which devices use which.
   */
  private String subscriptionFault(
      SignsOfLife signs, @Nullable RegisteredDevices devices, Supplier<String> kafkaProblem) {
    String kafka = kafkaProblem.get();
    if (!kafka.isEmpty()) {
      return kafka;
    }
    String signatures =
        devices == null || signedWays(config).isEmpty() ? "" : devices.readinessProblem();
    if (!signatures.isEmpty()) {
      return signatures;
    }
    if (mqtt != null && !config.access().isAnyOpen() && !mqtt.problem().isEmpty()) {
      return mqtt.problem();
    }
    return signs.recordsProblem();
  }

  /** Why devices cannot be heard now; empty if they can. */
  String subscriptionFault() {
    return subscriptionFault.get();
  }

  private static String unavailability(
      MqttOptions options, Supplier<String> kafkaProblem, @Nullable RegisteredDevices devices) {
    String kafka = kafkaProblem.get();
    boolean isJudging = options.records() == AccessMode.SIGNED && devices != null;
    return kafka.isEmpty() && isJudging ? devices.problem().get() : kafka;
  }

  private RecordServices services(
      RecordSender sender,
      @Nullable Quota quota,
      @Nullable RequestTracing tracing,
      GatewayMetrics metrics) {
    SecureRandom random = new SecureRandom();
    Problems problems =
        new Problems(config.limits(), budget, config.http().retryAfter(), random::nextLong);
    return new RecordServices(
        config.profiles().stream().collect(Collectors.toMap(name -> name, config.kafka()::topic)),
        config.limits(),
        budget,
        inFlight,
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
    Properties client = config.kafka().clientProperties();
    client.put("client.id", "lastfix-gateway-admin");
    client.put("reconnect.backoff.max.ms", "1000");
    long startMillis = config.kafka().startTimeout().toMillis();
    client.put("default.api.timeout.ms", Long.toString(startMillis));
    client.put("request.timeout.ms", Long.toString(Math.min(startMillis, 30_000)));
    List<String> topics = config.kafka().topics(config.profiles());
    List<AutoCloseable> backends = new ArrayList<>();
    RequestTracing tracing = config.tracing() ? RequestTracing.ofEnvironment() : null;
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
          start(
              config,
              sender,
              devices,
              quota,
              tracing,
              () -> sender.problem().isEmpty() ? watch.problem() : sender.problem(),
              backends);
      // Last, and ended first: ticks say that this gateway takes requests.
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
    } catch (DevicesTopicException e) {
      closeAll(backends);
      throw new IllegalStateException(e.getMessage(), e);
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
    return options == null
        ? null
        : new Quota(
            options.bytesPerDay(),
            options.gateways(),
            options.maxDevices(),
            InstantSource.system());
  }

  /** What may wait for Kafka, over HTTP and MQTT together. */
  private static long budgetBytes(GatewayConfig config) {
    MqttOptions options = config.mqtt();
    return (long) config.limits().budgetBytes() + (options == null ? 0 : options.budgetBytes());
  }

  private static RegisteredDevices devices(GatewayConfig config, Admin admin, @Nullable Quota quota)
      throws DevicesTopicException {
    KafkaOptions kafka = config.kafka();
    DevicesOptions options = config.devices();
    DevicesTopic topic =
        new DevicesTopic(
            kafka.bootstrapServers(), options.topic(), kafka.partitions(), kafka.replication());
    if (kafka.createTopics()) {
      topic.ensure(admin);
    } else {
      topic.check(admin);
    }
    Map<String, Object> properties = new HashMap<>();
    kafka.clientProperties().forEach((name, value) -> properties.put(String.valueOf(name), value));
    return RegisteredDevices.follow(
        options.topic(),
        properties,
        new GroupKeys(options.groupKeys(), System.getenv(), InstantSource.system()),
        options.tolerance(),
        options.maxStaleness(),
        kafka.startTimeout(),
        kafka.deliveryTimeout(),
        quota == null ? usage -> {} : quota::published);
  }

  /**
   * Opens with parts that run already.
   *
   * @param devices null: nobody registers or signs
   * @param kafkaProblem what is wrong with Kafka; empty if nothing is
   * @param backends closed after the server, in this order
   */
  static Gateway start(
      GatewayConfig config,
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      Supplier<String> kafkaProblem,
      List<AutoCloseable> backends) {
    return start(config, sender, devices, null, kafkaProblem, backends);
  }

  /**
   * The same.
   *
   * @param tracing closed by the caller; null: no request is traced
   */
  static Gateway start(
      GatewayConfig config,
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      @Nullable RequestTracing tracing,
      Supplier<String> kafkaProblem,
      List<AutoCloseable> backends) {
    return start(config, sender, devices, quota(config), tracing, kafkaProblem, backends);
  }

  private static Gateway start(
      GatewayConfig config,
      RecordSender sender,
      @Nullable RegisteredDevices devices,
      @Nullable Quota quota,
      @Nullable RequestTracing tracing,
      Supplier<String> kafkaProblem,
      List<AutoCloseable> backends) {
    List<String> signed = signedWays(config);
    if (!signed.isEmpty() && devices != null && devices.lacksAllKeys()) {
      throw new IllegalStateException(
          "%s is 'signed', but no key of a group is here, so every device would be refused: copy the files of lastfix group create into devices.group-keys"
              .formatted(signed.get(0)));
    }
    Gateway gateway = new Gateway(config, sender, devices, quota, tracing, kafkaProblem, backends);
    try {
      gateway.server.start().join();
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "cannot listen on %s port %d: %s; choose another http.port"
              .formatted(config.http().address(), config.http().port(), cause.getMessage()),
          e);
    }
    gateway.endpoint =
        "%s://%s:%d"
            .formatted(
                config.http().tls() == null ? "http" : "https",
                config.http().address(),
                gateway.server.activeLocalPort());
    LOG.info("listening on {}", gateway.endpoint);
    if (gateway.mqtt != null) {
      try {
        gateway.mqtt.start();
      } catch (IllegalStateException e) {
        gateway.server.stop().join();
        throw e;
      }
    }
    return gateway;
  }

  /** The keys of what has to be signed. */
  private static List<String> signedWays(GatewayConfig config) {
    List<String> keys = new ArrayList<>();
    if (config.access().records() == AccessMode.SIGNED) {
      keys.add("access.records");
    }
    MqttOptions options = config.mqtt();
    if (options != null && options.records() == AccessMode.SIGNED) {
      keys.add("mqtt.records");
    }
    return keys;
  }

  private Server build(
      RecordServices services,
      @Nullable RegisteredDevices devices,
      @Nullable Quota quota,
      Supplier<String> kafkaProblem,
      PrometheusMeterRegistry registry) {
    GatewayMetrics metrics = services.metrics();
    ServerBuilder builder = Server.builder();
    listen(builder);
    bound(builder);
    builder.errorHandler(new ProblemErrorHandler(services.problems()));
    HttpService records = service(new RecordsRoute(), config.access().records(), devices, services);
    builder.route().post(RecordsRoute.PATH).build(records);
    AccessMode access = config.access().records();
    builder
        .route()
        .post(HeartbeatService.PATH)
        .build(
            new HeartbeatService(
                access,
                authenticator(new RecordsRoute()::claimedDevice, access, devices, services),
                services));
    HttpService osmand = service(new OsmandRoute(), config.access().osmand(), null, services);
    HttpService owntracks =
        service(new OwnTracksRoute(), config.access().owntracks(), null, services);
    // Users type the address into their phones, with a slash at its end or without.
    for (String slash : List.of("", "/")) {
      builder
          .route()
          .path(OsmandRoute.PATH + slash)
          .methods(HttpMethod.GET, HttpMethod.POST)
          .build(osmand);
      builder.route().post(OwnTracksRoute.PATH + slash).build(owntracks);
    }
    AccessMode openschema = config.access().openschema();
    builder
        .route()
        .post(OpenSchemaRoute.PATH)
        .build(service(new OpenSchemaRoute(), openschema, null, services));
    builder
        .route()
        .post(OpenSchemaRegistrationService.PATH)
        .build(
            traced(
                new OpenSchemaRegistrationService(
                    openschema,
                    authenticator((head, body) -> null, openschema, null, services),
                    services),
                services));
    AccessMode c2 = config.access().c2();
    // Without Basic, the agent is named in the body.
    RequestAuthenticator agents = authenticator((head, body) -> null, c2, null, services);
    Duration c2Interval = config.heartbeats().c2Interval();
    builder
        .route()
        .post(C2Service.HEARTBEAT_PATH)
        .build(C2Service.heartbeats(c2, agents, c2Interval, services));
    builder
        .route()
        .post(C2Service.ACKNOWLEDGE_PATH)
        .build(C2Service.acknowledgements(c2, agents, c2Interval, services));
    builder
        .route()
        .get("/health")
        .build(StateServices.health(mqtt == null ? () -> "" : mqtt::restartReason));
    builder
        .route()
        .get("/ready")
        .build(
            StateServices.ready(
                draining::get,
                kafkaProblem,
                () -> devices == null ? "" : devices.readinessProblem(),
                devices == null ? List::of : devices.groupsWithoutKey(),
                quota == null ? List::of : quota::over,
                config.http().isLocal(),
                mqtt == null ? Map::of : mqtt::state));
    builder.route().get("/metrics").build(StateServices.metrics(registry));
    if (devices != null) {
      ByteBudget registrationsBudget =
          new ByteBudget(Math.max(REGISTRATIONS_BUDGET_BYTES, 2L * config.limits().maxBytes()));
      builder
          .route()
          .post(DevicesService.PATH)
          .build(
              traced(
                  new DevicesService(
                      devices.registration(), services.forRegistrations(registrationsBudget)),
                  services));
      metrics.gauge(
          "registrations.budget.bytes",
          "Bytes that all registrations together may hold",
          registrationsBudget::limit);
      metrics.gauge(
          "registrations.budget.used.bytes",
          "Bytes that registrations hold now",
          registrationsBudget::used);
      metrics.gauge("devices", "Registered devices", devices.devices()::size);
      metrics.gauge("devices.manifests", "Different manifests", devices.devices()::manifests);
      metrics.gauge(
          "groups.without.key",
          "Groups whose devices cannot sign here",
          () -> devices.groupsWithoutKey().get().size());
      metrics.gauge(
          "devices.skipped.messages",
          "Messages of the devices' topic that could not be read",
          devices.skipped());
    }
    builder.decorator(new CanonicalRequests(services.problems())::only);
    builder.decorator(new NoPages(services.problems(), config.http().isLocal())::check);
    builder.decorator(inFlight::count);
    Server built = builder.build();
    metrics.gauge(
        "budget.bytes",
        "Bytes that all requests but registrations together may hold",
        budget::limit);
    metrics.gauge("budget.used.bytes", "Bytes that these requests hold now", budget::used);
    metrics.gauge("requests.open", "Requests without an answer so far", inFlight::open);
    if (quota != null) {
      metrics.gauge("quota.devices", "Devices that have pushed today", quota::devices);
      metrics.gauge(
          "quota.over.devices",
          "Devices of which a record was refused today because their quota is used up",
          () -> quota.over().size());
      metrics.gauge(
          "quota.uncounted",
          "Records of devices beyond quota.max-devices since the start",
          quota::uncounted);
    }
    metrics.gauge("connections", "Open connections", built::numConnections);
    metrics.gauge(
        "kafka.ready",
        "1: Kafka answers, 0: it does not",
        () -> kafkaProblem.get().isEmpty() ? 1 : 0);
    return built;
  }

  private HttpService service(
      RecordRoute route,
      AccessMode mode,
      @Nullable RegisteredDevices devices,
      RecordServices services) {
    boolean sharesPassword = mode == AccessMode.BASIC && !route.isUserTheDevice();
    RequestAuthenticator authenticator =
        sharesPassword
            ? new SharedPasswordAuthenticator(
                new BasicAuthenticator(config.access().basicUsers(), services.problems()),
                new UnsignedAuthenticator(route::claimedDevice))
            : authenticator(route::claimedDevice, mode, devices, services);
    return traced(new RecordService(route, mode, authenticator, services), services);
  }

  private static HttpService traced(HttpService service, RecordServices services) {
    RequestTracing tracing = services.tracing();
    return tracing == null ? service : tracing.decorate(service);
  }

  private RequestAuthenticator authenticator(
      BiFunction<RequestHead, byte[], @Nullable String> claimedDevice,
      AccessMode mode,
      @Nullable RegisteredDevices devices,
      RecordServices services) {
    return switch (mode) {
      case BASIC -> new BasicAuthenticator(config.access().basicUsers(), services.problems());
      case SIGNED ->
          new SignedAuthenticator(
              Objects.requireNonNull(devices, "checked with the configuration").authenticator(),
              services.problems());
      case CLOSED, UNSIGNED -> new UnsignedAuthenticator(claimedDevice);
    };
  }

  private void listen(ServerBuilder builder) {
    HttpOptions http = config.http();
    InetSocketAddress address = new InetSocketAddress(http.address(), http.port());
    HttpOptions.Tls tls = http.tls();
    if (tls == null) {
      builder.port(address, SessionProtocol.HTTP);
      builder.childChannelPipelineCustomizer(
          pipeline -> pipeline.addFirst(new ContinueHandler(), new StrictRequests()));
    } else {
      builder.port(address, SessionProtocol.HTTPS);
      // The server appends the HTTP codec after the handshake.
      builder.childChannelPipelineCustomizer(
          pipeline -> pipeline.addLast(new ContinueHandler(), new StrictRequests()));
      builder.tls(TlsFiles.read(tls));
    }
  }

  private void bound(ServerBuilder builder) {
    HttpOptions http = config.http();
    builder.maxNumConnections(http.maxConnections());
    builder.idleTimeout(http.idleTimeout());
    builder.requestTimeout(http.requestTimeout());
    // The routes have a limit of their own, which tells the client more.
    builder.maxRequestLength(0);
    builder.http1MaxInitialLineLength(MAX_HEADER_BYTES);
    builder.http1MaxHeaderSize(MAX_HEADER_BYTES);
    builder.http2MaxHeaderListSize(MAX_HEADER_BYTES);
    builder.http2MaxStreamsPerConnection(config.limits().maxRequestsPerConnection());
    builder.requestAutoAbortDelay(UnreadBody.LINGER);
    // RFC 9112 (3.2.2): a server takes the absolute form, too. A signature covers path and query.
    builder.absoluteUriTransformer(Gateway::originForm);
    builder.blockingTaskExecutor(Math.max(2, Runtime.getRuntime().availableProcessors()));
    // The server's own metrics have other names and other tags; the gateway counts for itself.
    builder.meterRegistry(new CompositeMeterRegistry());
    builder.gracefulShutdown(
        GracefulShutdown.builder().quietPeriod(QUIET).timeout(LONGEST_QUIET).build());
    builder.bossGroupFactory(Gateway::acceptLoop);
  }

  /** Netty's event loops end after two seconds without work; this one has none once it is asked. */
  private static EventLoopGroup acceptLoop(String threadName) {
    return EventLoopGroups.builder()
        .numThreads(1)
        .threadFactory(ThreadFactories.newEventLoopThreadFactory(threadName, false))
        .gracefulShutdown(Duration.ZERO, ACCEPT_LOOP_END)
        .build();
  }

  /** Without scheme and authority; of a scheme that is not served, the root, where nothing is. */
  static String originForm(String absolute) {
    int authority = absolute.indexOf("://") + 3;
    String scheme = absolute.substring(0, authority).toLowerCase(Locale.ROOT);
    if (!scheme.equals("http://") && !scheme.equals("https://")) {
      return "/";
    }
    int end = authority;
    while (end < absolute.length() && "/?#".indexOf(absolute.charAt(end)) < 0) {
      end++;
    }
    String rest = absolute.substring(end);
    return rest.startsWith("/") ? rest : "/" + rest;
  }

  /** The address for clients on this machine. */
  public String endpoint() {
    return endpoint;
  }

  ByteBudget budget() {
    return budget;
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
    inFlight.endConnections();
    waitAsLameDuck();
    inFlight.refuseFurther();
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
      inFlight.awaitAnswers(config.http().drainTimeout().minus(QUIET));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void waitAsLameDuck() {
    try {
      TimeUnit.MILLISECONDS.sleep(config.http().lameDuck().toMillis());
    } catch (InterruptedException e) {
      // Whoever waits for the end is in a hurry.
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
