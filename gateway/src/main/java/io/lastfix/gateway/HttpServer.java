package io.lastfix.gateway;

import com.linecorp.armeria.common.Flags;
import com.linecorp.armeria.common.SessionProtocol;
import com.linecorp.armeria.common.util.EventLoopGroups;
import com.linecorp.armeria.common.util.ThreadFactories;
import com.linecorp.armeria.common.util.TransportType;
import com.linecorp.armeria.server.GracefulShutdown;
import com.linecorp.armeria.server.Server;
import com.linecorp.armeria.server.ServerBuilder;
import io.lastfix.gateway.config.HttpOptions;
import io.lastfix.gateway.http.CanonicalRequests;
import io.lastfix.gateway.http.ContinueHandler;
import io.lastfix.gateway.http.NoPages;
import io.lastfix.gateway.http.ProblemErrorHandler;
import io.lastfix.gateway.http.Problems;
import io.lastfix.gateway.http.RequestsInFlight;
import io.lastfix.gateway.http.Route;
import io.lastfix.gateway.http.StrictRequests;
import io.lastfix.gateway.http.UnreadBody;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.util.concurrent.Future;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/** Makes the HTTP server of routes: where it listens, its bounds, and what holds for all routes. */
final class HttpServer {
  private static final int MAX_HEADER_BYTES = 16 * 1024;

  /**
   * How long a stopping gateway waits after its last answer. It refuses a request that was already
   * on its way.
   */
  static final Duration QUIET = Duration.ofMillis(500);

  /** Clients that connect again and again do not prolong a stop further. */
  private static final Duration LONGEST_QUIET = Duration.ofSeconds(1);

  private static final Duration ACCEPT_LOOP_END = Duration.ofSeconds(5);

  private HttpServer() {}

  /** Returns a server that is not started. */
  static Server of(
      GatewayConfig config, Problems problems, RequestsInFlight inFlight, List<Route> routes) {
    ServerBuilder builder = Server.builder();
    listen(builder, config.http());
    bound(builder, config);
    builder.errorHandler(new ProblemErrorHandler(problems));
    routes.forEach(route -> route.addTo(builder));
    builder.decorator(new CanonicalRequests(problems)::only);
    builder.decorator(new NoPages(problems, config.http().isLocal())::check);
    builder.decorator(inFlight::count);
    return builder.build();
  }

  private static void listen(ServerBuilder builder, HttpOptions http) {
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

  private static void bound(ServerBuilder builder, GatewayConfig config) {
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
    builder.absoluteUriTransformer(HttpServer::originForm);
    builder.blockingTaskExecutor(Math.max(2, Runtime.getRuntime().availableProcessors()));
    // The server's own metrics have other names and other tags; the gateway counts for itself.
    builder.meterRegistry(new CompositeMeterRegistry());
    builder.gracefulShutdown(
        GracefulShutdown.builder().quietPeriod(QUIET).timeout(LONGEST_QUIET).build());
    builder.bossGroupFactory(HttpServer::acceptLoop);
  }

  /**
   * Netty's event loops end after two seconds without work; this one has none when the server stops
   * it. The server stops the group of the loop itself, so no group around it can have another time.
   * Without Linux' transport, the two seconds pass.
   */
  private static EventLoopGroup acceptLoop(String threadName) {
    if (Flags.transportType() != TransportType.EPOLL) {
      return EventLoopGroups.newEventLoopGroup(1, threadName);
    }
    ThreadFactory threads = ThreadFactories.newEventLoopThreadFactory(threadName, false);
    return new MultiThreadIoEventLoopGroup(1, threads, EpollIoHandler.newFactory()) {
      @Override
      public Future<?> shutdownGracefully() {
        return shutdownGracefully(0, ACCEPT_LOOP_END.toMillis(), TimeUnit.MILLISECONDS);
      }
    };
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
}
