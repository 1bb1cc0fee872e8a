package io.lastfix.it.operate;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** An operator's view of a stack's Alertmanager: what it lists, and what it has notified. */
final class Alertmanager implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final HttpClient client = HttpClient.newHttpClient();
  private final HttpServer receiver;
  private final List<JsonNode> notifications = new CopyOnWriteArrayList<>();
  private @Nullable String address;

  /**
   * Begins to receive notifications.
   *
   * @param shipped the settings that ship; the copy names this receiver, and does not wait
   * @param settings the copy
   */
  Alertmanager(Path shipped, Path settings) throws IOException {
    receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    receiver.createContext("/", this::receive);
    receiver.start();
    Files.createDirectories(settings.getParent());
    Files.writeString(
        settings,
        Files.readString(shipped)
                .replaceAll("group_wait: \\w+", "group_wait: 1s")
                .replaceAll("group_interval: \\w+", "group_interval: 2s")
            + """
                webhook_configs:
                  - url: http://127.0.0.1:%d/
            """
                .formatted(receiver.getAddress().getPort()));
  }

  private void receive(HttpExchange exchange) throws IOException {
    notifications.add(JSON.readTree(exchange.getRequestBody()));
    exchange.sendResponseHeaders(200, -1);
    exchange.close();
  }

  /** From now on asks the one at that address. */
  void at(String endpoint) {
    address = endpoint;
  }

  /** The first of an alert that it lists as active. */
  Optional<JsonNode> active(String alert) throws IOException, InterruptedException {
    for (JsonNode listed : active()) {
      if (listed.path("labels").path("alertname").asText().equals(alert)) {
        return Optional.of(listed);
      }
    }
    return Optional.empty();
  }

  /** All that it lists as active. */
  JsonNode active() throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(address + "/api/v2/alerts?active=true")).build();
    return JSON.readTree(client.send(request, BodyHandlers.ofString(UTF_8)).body());
  }

  /**
   * How many notifications the receiver has.
   *
   * @param status {@code firing} or {@code resolved}
   */
  long notified(String alert, String status) {
    return notifications.stream()
        .filter(it -> it.path("status").asText().equals(status))
        .filter(it -> it.path("groupLabels").path("alertname").asText().equals(alert))
        .count();
  }

  @Override
  public void close() {
    receiver.stop(0);
  }
}
