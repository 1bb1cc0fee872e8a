package io.lastfix.stack.flink;

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
import java.util.function.Supplier;

/** Returns configured answers, and records the requests. */
public final class CannedCluster {
  private final HttpServer server;
  private final Map<String, Supplier<String>> answers = new ConcurrentHashMap<>();
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
          Supplier<String> supplier = answers.get(asked);
          String answer = supplier == null ? null : supplier.get();
          byte[] body =
              (answer == null
                      ? "{\"errors\":[\"Not found: " + asked + "\"]}\nat somewhere"
                      : answer)
                  .getBytes(UTF_8);
          exchange.sendResponseHeaders(answer == null ? 404 : 200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
  }

  /** Its address. */
  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Sets the answer from now on. */
  public void answers(String asked, String json) {
    answers.put(asked, () -> json);
  }

  /** Sets what is asked for each answer from now on. */
  void answersWith(String asked, Supplier<String> json) {
    answers.put(asked, json);
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
