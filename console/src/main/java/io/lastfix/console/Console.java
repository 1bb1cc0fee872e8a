package io.lastfix.console;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.common.ServerCacheControl;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.server.ClientAddressSource;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.HttpService;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import com.linecorp.armeria.server.file.FileService;
import com.linecorp.armeria.server.file.HttpFile;
import io.lastfix.console.api.Api;
import io.lastfix.console.config.ConsoleConfig;
import io.lastfix.console.config.LiveOptions;
import io.lastfix.console.health.Health;
import io.lastfix.console.http.AccessCheck;
import io.lastfix.console.http.ConnectionShare;
import io.lastfix.console.http.FairShare;
import io.lastfix.console.http.Generation;
import io.lastfix.console.http.OpenApi;
import io.lastfix.console.http.ProblemErrorHandler;
import io.lastfix.console.http.Queries;
import io.lastfix.console.http.RangeFile;
import io.lastfix.console.http.RequestMetrics;
import io.lastfix.console.http.Route;
import io.lastfix.console.http.SecurityHeaders;
import io.lastfix.console.live.LiveHub;
import io.lastfix.console.live.LocatedFeed;
import io.lastfix.console.query.LocationStore;
import io.lastfix.console.query.MongoLocationStore;
import io.lastfix.store.connect.MongoAccessException;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running console: the page, its API, and the connection to MongoDB. */
public final class Console implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Console.class);

  /** The page's files in the jar; the build writes them. */
  private static final String PAGE = "/io/lastfix/console/page";

  private static final MediaType PROMETHEUS =
      MediaType.parse("text/plain; version=0.0.4; charset=utf-8");

  private static final int MAX_HEADER_BYTES = 16 * 1024;
  private static final int MAX_CONNECTIONS = 512;

  /** Some more than queries take: readiness does not wait for them. */
  private static final int THREADS = Queries.AT_ONCE + 2;

  private static final int MAX_QUERIES = 64;

  /** The greatest answer has 4 MiB. */
  private static final int MAX_ANSWERS_KIB = 64 * 1024;

  /** Each may keep 20,000 sightings, some 6 MB, if its browser does not read. */
  private static final int MAX_STREAMS = 32;

  private static final Duration DRAIN_LIMIT = Duration.ofSeconds(5);

  /** Beyond MongoDB's own limit, so that its answer arrives. */
  private static final Duration MARGIN = Duration.ofSeconds(15);

  private final LocationStore store;
  private final Health health;
  private final @Nullable LiveHub hub;
  private final @Nullable LocatedFeed feed;
  final Server server;
  private final String endpoint;
  private final AtomicBoolean draining = new AtomicBoolean();

  private Console(ConsoleConfig config, LocationStore store, @Nullable LiveHub hub) {
    this.store = store;
    this.hub = hub;
    health =
        Health.of(
            config.health(),
            store::health,
            () -> store.lastAudit(config.health().jobName()),
            config.pseudonymKey() != null);
    LiveOptions live = config.live();
    feed =
        hub == null || live == null
            ? null
            : new LocatedFeed(live.topic(), live.kafka(), hub::publish);
    server = build(config);
    try {
      server.start().join();
    } catch (RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw new IllegalStateException(
          "cannot listen on %s port %d: %s; choose another port"
              .formatted(config.address(), config.port(), cause.getMessage()),
          e);
    }
    endpoint = "http://%s:%d".formatted(config.address(), server.activeLocalPort());
    LOG.info("listening on {}", endpoint);
  }

  /**
   * Connects to MongoDB, then opens.
   *
   * @throws IllegalStateException for the user: MongoDB does not answer, the port is taken
   */
  public static Console start(ConsoleConfig config) {
    MongoLocationStore store;
    try {
      store = new MongoLocationStore(config);
    } catch (MongoAccessException e) {
      throw new IllegalStateException(e.getMessage(), e);
    }
    return start(config, store, config.live() == null ? null : new LiveHub(MAX_STREAMS));
  }

  /**
   * Opens with a store, which it closes in the end.
   *
   * @param hub of located records; null: none come
   */
  static Console start(ConsoleConfig config, LocationStore store, @Nullable LiveHub hub) {
    try {
      return new Console(config, store, hub);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  private Server build(ConsoleConfig config) {
    PrometheusMeterRegistry metrics = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    ServerBuilder builder = Server.builder();
    listen(builder, config);
    bound(builder, config);
    builder.errorHandler(new ProblemErrorHandler());
    addApi(builder);
    addState(builder, metrics);
    addPage(builder);
    addMap(builder, config.map());
    decorate(builder, config, metrics);
    return builder.build();
  }

  private static void listen(ServerBuilder builder, ConsoleConfig config) {
    builder.port(new InetSocketAddress(config.address(), config.port()), SessionProtocol.HTTP);
    builder.maxNumConnections(MAX_CONNECTIONS);
    builder.childChannelPipelineCustomizer(new ConnectionShare(MAX_CONNECTIONS / 2)::add);
    // Of a proxy on this machine, which sends the token for its clients. Without one, any program
    // here could pretend to be many clients.
    builder.clientAddressTrustedProxyFilter(it -> config.token() != null && it.isLoopbackAddress());
    builder.clientAddressSources(ClientAddressSource.ofHeader("x-forwarded-for"));
    builder.clientAddressMapper(FairShare::nearest);
  }

  private static void bound(ServerBuilder builder, ConsoleConfig config) {
    builder.requestTimeout(config.queryLimit().plus(MARGIN));
    // Nothing here takes a body.
    builder.maxRequestLength(MAX_HEADER_BYTES);
    builder.http1MaxInitialLineLength(MAX_HEADER_BYTES);
    builder.http1MaxHeaderSize(MAX_HEADER_BYTES);
    builder.http2MaxHeaderListSize(MAX_HEADER_BYTES);
    builder.blockingTaskExecutor(THREADS);
    // Armeria's own metrics would have labels of the machine.
    builder.meterRegistry(new CompositeMeterRegistry());
    // Refusals are no faults; the error handler logs what is one.
    builder.unloggedExceptionsReportInterval(Duration.ZERO);
    builder.gracefulShutdown(
        GracefulShutdown.builder().quietPeriod(Duration.ZERO).timeout(DRAIN_LIMIT).build());
  }

  private void addApi(ServerBuilder builder) {
    Queries queries = new Queries(MAX_QUERIES, MAX_ANSWERS_KIB);
    List<Route> routes =
        Api.routes(
            store, health, hub, () -> Optional.ofNullable(feed).flatMap(LocatedFeed::problem));
    routes.forEach(
        route ->
            builder
                .route()
                .get(route.path())
                .build((context, request) -> route.serve(context, queries)));
    builder.route().get("/v1/openapi.json").build(OpenApi.of(routes));
  }

  private void addState(ServerBuilder builder, PrometheusMeterRegistry metrics) {
    builder.route().get("/health").build((context, request) -> json(HttpStatus.OK, state("up")));
    builder.route().get("/ready").build(ready());
    builder
        .route()
        .get("/metrics")
        .build((context, request) -> HttpResponse.of(HttpStatus.OK, PROMETHEUS, metrics.scrape()));
  }

  private static void decorate(
      ServerBuilder builder, ConsoleConfig config, PrometheusMeterRegistry metrics) {
    AccessCheck access = new AccessCheck(config.token());
    builder.routeDecorator().pathPrefix("/v1/").build(access::only);
    InputStream page =
        Objects.requireNonNull(Console.class.getResourceAsStream(PAGE + "/index.html"));
    builder.routeDecorator().pathPrefix("/v1/").build(Generation.of(page, config.shown()));
    builder.decorator(SecurityHeaders::add);
    builder.decorator(RequestMetrics.in(metrics));
  }

  /** One by one, so that any other address is a problem like those of the API. */
  private static void addPage(ServerBuilder builder) {
    ClassLoader jar = Console.class.getClassLoader();
    for (String file : List.of("/index.html", "/icon.svg", "/licences.txt")) {
      HttpService service =
          HttpFile.builder(jar, PAGE + file)
              .cacheControl(ServerCacheControl.REVALIDATED)
              .build()
              .asService();
      builder.route().get(file.equals("/index.html") ? "/" : file).build(service);
    }
    for (String folder : List.of("/assets", "/base")) {
      builder.serviceUnder(
          folder,
          FileService.builder(jar, PAGE + folder)
              .cacheControl(ServerCacheControl.REVALIDATED)
              .build());
    }
  }

  /** Adds the user's base map, if there is one. It shows no device, so it needs no token. */
  private static void addMap(ServerBuilder builder, @Nullable String map) {
    builder
        .route()
        .get("/map.json")
        .build(
            (context, request) ->
                json(
                    HttpStatus.OK,
                    JsonNodeFactory.instance.objectNode().put("pmtiles", map != null)));
    if (map != null) {
      builder.route().get("/map.pmtiles").build(new RangeFile(Path.of(map)));
    }
  }

  private HttpService ready() {
    return (context, request) ->
        HttpResponse.of(
            () -> {
              Optional<String> problem = store.problem();
              boolean isReady = problem.isEmpty() && !draining.get();
              return json(
                  isReady ? HttpStatus.OK : HttpStatus.SERVICE_UNAVAILABLE,
                  state(isReady ? "ready" : "not ready")
                      .put("mongodb", problem.orElse("ready"))
                      .put("draining", draining.get()));
            },
            context.blockingTaskExecutor());
  }

  private static ObjectNode state(String status) {
    return JsonNodeFactory.instance.objectNode().put("status", status);
  }

  private static HttpResponse json(HttpStatus status, ObjectNode node) {
    return HttpResponse.of(status, MediaType.JSON, node.toString());
  }

  /** The page's address for browsers on this machine. */
  public String endpoint() {
    return endpoint;
  }

  /** Lets open requests get their answers. Further calls do nothing. */
  @Override
  public void close() {
    if (draining.compareAndSet(false, true)) {
      if (hub != null) {
        hub.close();
      }
      server.stop().join();
      if (feed != null) {
        feed.close();
      }
      health.close();
      store.close();
      LOG.info("stopped");
    }
  }
}
