package io.lastfix.cluster.flink;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Returns configured answers, and records the requests. Refuses a request line as Flink does. */
public final class CannedCluster {
  /** Of Netty, with which Flink 1.20 serves. */
  private static final int MAX_REQUEST_LINE = 4096;

  private final HttpServer server;
  private final Map<String, Supplier<String>> answers = new ConcurrentHashMap<>();
  private final Map<String, String> problems = new ConcurrentHashMap<>();
  private final Map<String, Function<List<String>, String>> metrics = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final AtomicInteger failures = new AtomicInteger();

  /** Listens on a free port. */
  public CannedCluster() {
    try {
      server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    server.createContext(
        "/",
        exchange -> {
          String line =
              "%s %s HTTP/1.1".formatted(exchange.getRequestMethod(), exchange.getRequestURI());
          String query = exchange.getRequestURI().getRawQuery();
          String asked =
              exchange.getRequestURI().getPath()
                  + (query == null ? "" : "?" + URLDecoder.decode(query, UTF_8));
          requests.add(exchange.getRequestMethod() + " " + asked);
          if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
            exchange.sendResponseHeaders(503, -1);
            exchange.close();
            return;
          }
          String answer = line.length() > MAX_REQUEST_LINE ? null : answerTo(asked);
          String problem = problems.getOrDefault(asked, "Not found: " + asked);
          byte[] body =
              (answer == null ? "{\"errors\":[\"" + problem + "\"]}\nat somewhere" : answer)
                  .getBytes(UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  private @Nullable String answerTo(String asked) {
    Supplier<String> supplier = answers.get(asked);
    if (supplier != null) {
      return supplier.get();
    }
    int names = asked.indexOf("?get=");
    Function<List<String>, String> json = names < 0 ? null : metrics.get(asked.substring(0, names));
    return json == null
        ? null
        : json.apply(List.of(asked.substring(names + 5).replaceAll("&.*", "").split(",")));
  }

  /** Its address. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Sets the answer from now on. */
  public void answers(String asked, String json) {
    answers.put(asked, () -> json);
  }

  /** Sets the problem of which a 404 tells from now on. */
  void lacks(String asked, String problem) {
    answers.remove(asked);
    problems.put(asked, problem);
  }

  /** Sets what is asked for each answer from now on. */
  public void answersWith(String asked, Supplier<String> json) {
    answers.put(asked, json);
  }

  /** Sets the answer for metrics by their names, from now on. */
  void answersMetrics(String path, Function<List<String>, String> json) {
    metrics.put(path, json);
  }

  /** Answers the next N requests with an error. */
  void failsNext(int requests) {
    failures.set(requests);
  }

  int failuresLeft() {
    return failures.get();
  }

  /** Method and path of each request so far. */
  public List<String> requests() {
    return requests;
  }

  /** Stops it. */
  public void stop() {
    server.stop(0);
  }
}
