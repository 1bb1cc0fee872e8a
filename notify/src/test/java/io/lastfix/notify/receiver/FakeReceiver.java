package io.lastfix.notify.receiver;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A receiver of webhooks over real HTTP, which answers as its path says. */
final class FakeReceiver implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<Request> requests = new CopyOnWriteArrayList<>();

  /** What it has got. */
  // Never compared.
  @SuppressWarnings("ArrayRecordComponent")
  record Request(Map<String, List<String>> headers, byte[] body) {
    String header(String name) {
      return headers.get(name).get(0);
    }
  }

  /** Answers a request; the exchange is closed afterwards. */
  interface Handler {
    void answer(HttpExchange exchange) throws Exception;
  }

  FakeReceiver() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(threads);
    server.start();
  }

  /** Answers requests to a path. */
  URI on(String path, Handler handler) {
    server.createContext(
        path,
        exchange -> {
          requests.add(
              new Request(
                  Map.copyOf(exchange.getRequestHeaders()),
                  exchange.getRequestBody().readAllBytes()));
          try {
            handler.answer(exchange);
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          } catch (Exception e) {
            throw new IOException(e);
          } finally {
            exchange.close();
          }
        });
    return URI.create("http://127.0.0.1:%d%s".formatted(server.getAddress().getPort(), path));
  }

  /** Answers with a status. */
  URI answering(int status, String... headers) {
    return on(
        "/" + status + "-" + headers.length,
        exchange -> {
          for (int i = 0; i < headers.length; i += 2) {
            exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
          }
          exchange.sendResponseHeaders(status, -1);
        });
  }

  List<Request> requests() {
    return requests;
  }

  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
