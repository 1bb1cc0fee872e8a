package io.lastfix.notify;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.notify.StateServer.Answer;
import io.lastfix.notify.config.HttpOptions;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StateServerTest {
  private static final Map<String, Supplier<Answer>> PATHS =
      Map.of("/ready", () -> Answer.json(false, "{\"status\":\"not ready\"}"));

  private static HttpResponse<String> send(StateServer server, String path, String method)
      throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path)))
                .method(method, BodyPublishers.noBody())
                .build(),
            BodyHandlers.ofString());
  }

  @Test
  void itAnswersGetForItsPaths() throws Exception {
    try (StateServer server = new StateServer(new HttpOptions("127.0.0.1", 0), PATHS)) {
      server.start();

      HttpResponse<String> ready = send(server, "/ready", "GET");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).isEqualTo("{\"status\":\"not ready\"}");
      assertThat(ready.headers().firstValue("content-type")).contains("application/json");
      assertThat(send(server, "/ready/", "GET").statusCode()).isEqualTo(404);
      assertThat(send(server, "/ready", "POST").statusCode()).isEqualTo(405);
    }
  }

  @ParameterizedTest
  @CsvSource({"evil.example, 421", "localhost, 503"})
  void onLoopbackARequestForANameIsRefused(String host, int status) throws Exception {
    try (StateServer server = new StateServer(new HttpOptions("127.0.0.1", 0), PATHS)) {
      server.start();

      try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
        socket
            .getOutputStream()
            .write(
                "GET /ready HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n"
                    .formatted(host)
                    .getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
            .startsWith("HTTP/1.1 %d".formatted(status));
      }
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() {
    try (StateServer server = new StateServer(new HttpOptions("127.0.0.1", 0), PATHS)) {
      HttpOptions same = new HttpOptions("127.0.0.1", server.port());

      assertThatThrownBy(() -> new StateServer(same, PATHS))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageMatching(
              "cannot listen on 127\\.0\\.0\\.1 port %d: .+; choose another http\\.port"
                  .formatted(server.port()));
    }
  }
}
