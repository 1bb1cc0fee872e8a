package io.lastfix.notify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.notify.StateServer.Answer;
import io.lastfix.notify.config.HttpOptions;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

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
