package io.lastfix.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.console.config.ConsoleConfig;
import io.lastfix.console.live.LiveHub;
import io.lastfix.store.connect.MongoOptions;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A console on a free port, with a store of the test, and a client of it. */
final class TestConsole implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();

  final FakeStore store = new FakeStore();
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Console console;

  private TestConsole(ConsoleConfig config, @Nullable LiveHub hub) {
    console = Console.start(config, store, hub);
  }

  static TestConsole start() {
    return new TestConsole(config(0, null), null);
  }

  static TestConsole start(String token) {
    return new TestConsole(config(0, token), null);
  }

  static TestConsole start(String token, LiveHub hub) {
    return new TestConsole(config(0, token), hub);
  }

  static TestConsole startWithMap(Path map) {
    return new TestConsole(config(0, null, map.toString()), null);
  }

  static TestConsole start(LiveHub hub) {
    return new TestConsole(config(0, null), hub);
  }

  static ConsoleConfig config(int port, @Nullable String token) {
    return config(port, token, null);
  }

  private static ConsoleConfig config(int port, @Nullable String token, @Nullable String map) {
    ConsoleConfig open =
        ConsoleConfig.defaults(MongoOptions.defaults("mongodb://127.0.0.1:1", "lastfix"));
    return new ConsoleConfig(
        open.address(),
        port,
        token,
        open.historyMongo(),
        open.lastKnownLocationMongo(),
        open.historyPrefix(),
        open.lastKnownLocationCollection(),
        open.countsPrefix(),
        null,
        null,
        open.health(),
        map,
        open.queryLimit());
  }

  /** The patterns of the API's routes. */
  Set<String> apiPaths() {
    return console.server.serviceConfigs().stream()
        .map(it -> it.route().patternString())
        .filter(it -> it.startsWith("/v1/"))
        .collect(Collectors.toSet());
  }

  String endpoint() {
    return console.endpoint();
  }

  HttpResponse<String> get(String path, String... headers) {
    return send(path, "GET", headers);
  }

  HttpResponse<String> send(String path, String method, String... headers) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(console.endpoint() + path))
            .method(method, HttpRequest.BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    try {
      return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  static JsonNode json(HttpResponse<String> response) {
    try {
      return JSON.readTree(response.body());
    } catch (IOException e) {
      throw new IllegalStateException(response.body(), e);
    }
  }

  static @Nullable String problem(HttpResponse<String> response) {
    return json(response).path("type").asText().replace("urn:lastfix:problem:", "");
  }

  @Override
  public void close() {
    console.close();
  }
}
