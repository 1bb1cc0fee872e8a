package io.lastfix.notify;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.lastfix.model.web.LocalRequests;
import io.lastfix.notify.config.HttpOptions;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers GET for a few paths. On loopback it has no name, so there a request for a name is
 * refused: a web page may have the user's browser send it.
 */
final class StateServer implements AutoCloseable {
  private static final int THREADS = 4;

  static {
    // Of each request and answer, for all servers of the JVM: a client that sends nothing would
    // hold a thread for ever.
    for (String limit : new String[] {"maxReqTime", "maxRspTime"}) {
      String key = "sun.net.httpserver." + limit;
      if (System.getProperty(key) == null) {
        System.setProperty(key, "10");
      }
    }
  }

  private final HttpServer server;
  private final ExecutorService threads =
      Executors.newFixedThreadPool(
          THREADS,
          task -> {
            Thread thread = new Thread(task, "http");
            thread.setDaemon(true);
            return thread;
          });

  /** What a path answers. */
  record Answer(int status, String type, String body) {
    static Answer json(boolean isGood, String body) {
      return new Answer(isGood ? 200 : 503, "application/json", body);
    }
  }

  /**
   * Takes the port, and answers once it is started.
   *
   * @throws IllegalStateException for the user: the address cannot be used
   */
  StateServer(HttpOptions options, Map<String, Supplier<Answer>> paths) {
    try {
      server = HttpServer.create(new InetSocketAddress(options.address(), options.port()), 0);
    } catch (IOException | IllegalArgumentException e) {
      threads.shutdown();
      throw new IllegalStateException(
          "cannot listen on %s port %d: %s; choose another http.port"
              .formatted(options.address(), options.port(), e.getMessage()),
          e);
    }
    server.setExecutor(threads);
    server.createContext("/", exchange -> answer(exchange, paths));
  }

  void start() {
    server.start();
  }

  int port() {
    return server.getAddress().getPort();
  }

  private void answer(HttpExchange exchange, Map<String, Supplier<Answer>> paths)
      throws IOException {
    try (exchange) {
      Supplier<Answer> path = paths.get(exchange.getRequestURI().getPath());
      Answer answer;
      if (!isAllowed(exchange.getRequestHeaders().getFirst("Host"))) {
        answer = new Answer(421, "text/plain", "address it as localhost or by its IP address\n");
      } else if (path == null) {
        answer = new Answer(404, "text/plain", "not found\n");
      } else if (!exchange.getRequestMethod().equals("GET")) {
        answer = new Answer(405, "text/plain", "GET only\n");
      } else {
        answer = path.get();
      }
      byte[] body = answer.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.sendResponseHeaders(answer.status(), body.length);
      exchange.getResponseBody().write(body);
    }
  }

  private boolean isAllowed(@Nullable String host) {
    return !server.getAddress().getAddress().isLoopbackAddress() || LocalRequests.isLocal(host);
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
