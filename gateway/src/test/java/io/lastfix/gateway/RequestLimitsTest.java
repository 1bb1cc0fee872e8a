package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** Requests that cost little on the wire, and memory here, while Kafka does not answer. */
@Execution(ExecutionMode.CONCURRENT)
class RequestLimitsTest {
  private static final String PATH = "/v1/records/json";

  private final RecordingSender sender = new RecordingSender().holding();

  private static CompletableFuture<HttpResponse<String>> async(HttpRequest.Builder request) {
    return HttpClient.newHttpClient()
        .sendAsync(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void aRequestWithoutABodyHoldsAShareOfTheBudgetToo() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(sender, "limits.max-bytes=60 kb", "limits.budget=124 kb")) {
      List<CompletableFuture<HttpResponse<String>>> open = new ArrayList<>();
      for (int i = 0; i < 7; i++) {
        open.add(async(gateway.request("/osmand?id=1&lat=1&lon=2")));
      }
      await().until(() -> sender.records().size() == 7);

      HttpResponse<String> eighth = gateway.get("/osmand?id=1&lat=1&lon=2");

      assertThat(eighth.statusCode()).isEqualTo(503);
      assertThat(eighth.body()).contains("urn:lastfix:problem:overloaded");
      for (int i = 0; i < 7; i++) {
        sender.acknowledge(i);
      }
      for (CompletableFuture<HttpResponse<String>> one : open) {
        assertThat(one.get().statusCode()).isEqualTo(200);
      }
      await().until(() -> gateway.gateway().budget().used() == 0);
    }
  }

  @Test
  void aConnectionThatPipelinesTooMuchIsClosed() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "limits.max-requests-per-connection=20");
        Socket socket = RawClient.connect(gateway.port())) {
      String requests =
          "GET /osmand?id=1&lat=1&lon=2 HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(2_000);

      assertThat(isClosedAfter(socket, requests)).isTrue();

      assertThat(sender.records()).hasSizeLessThanOrEqualTo(20);
      for (int i = 0; i < sender.records().size(); i++) {
        sender.acknowledge(i);
      }
      await().until(() -> gateway.gateway().budget().used() == 0);
      await()
          .untilAsserted(
              () ->
                  assertThat(gateway.metric("lastfix_gateway_requests_open"))
                      .as("the request that fetches the metrics")
                      .isEqualTo(1));
    }
  }

  @Test
  void whatWaitsBehindARecordCountsWhateverItsAddress() throws Exception {
    for (String target : List.of("/health", "/nothing", "//health")) {
      try (TestGateway gateway =
              TestGateway.start(sender, "limits.max-requests-per-connection=20");
          Socket socket = RawClient.connect(gateway.port())) {
        String requests =
            "GET /osmand?id=1&lat=1&lon=2 HTTP/1.1\r\nHost: localhost\r\n\r\n"
                + "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(target).repeat(2_000);

        assertThat(isClosedAfter(socket, requests)).as(target).isTrue();
      }
    }
  }

  private static boolean isClosedAfter(Socket socket, String requests) {
    try {
      socket.getOutputStream().write(requests.getBytes(UTF_8));
    } catch (IOException e) {
      return true;
    }
    return RawClient.isClosed(socket);
  }

  @Test
  void pipelinedRequestsWithinTheLimitAreAnsweredInTheirOrder() throws Exception {
    RecordingSender prompt = new RecordingSender();
    try (TestGateway gateway = TestGateway.start(prompt);
        Socket socket = RawClient.connect(gateway.port())) {
      socket
          .getOutputStream()
          .write(
              ("GET /osmand?id=1&lat=1&lon=2 HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(30)
                      + "GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
                  .getBytes(UTF_8));

      assertThat(new String(socket.getInputStream().readAllBytes(), UTF_8))
          .endsWith("{\"status\":\"up\"}")
          .satisfies(all -> assertThat(all.split("HTTP/1.1 200", -1)).hasSize(32));
    }
    assertThat(prompt.records()).hasSize(30);
  }

  @Test
  void tooManyOpenRequestsAre503AndTheStateIsAnsweredStill() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "limits.max-requests=3")) {
      List<CompletableFuture<HttpResponse<String>>> open = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        open.add(
            async(gateway.request(PATH).POST(HttpRequest.BodyPublishers.ofString(JSON_RECORD))));
      }
      await().until(() -> sender.records().size() == 3);

      HttpResponse<String> fourth = gateway.post(PATH, JSON_RECORD);

      assertThat(fourth.statusCode()).isEqualTo(503);
      assertThat(fourth.body()).contains("overloaded", "limits.max-requests", "\"limit\":3");
      assertThat(fourth.headers().firstValue("retry-after")).isPresent();
      assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
      for (int i = 0; i < 3; i++) {
        sender.acknowledge(i);
      }
      for (CompletableFuture<HttpResponse<String>> one : open) {
        assertThat(one.get().statusCode()).isEqualTo(202);
      }
      await()
          .untilAsserted(
              () -> assertThat(gateway.metric("lastfix_gateway_requests_open")).isEqualTo(1));
    }
  }

  @Test
  void aHeadThatDoesNotFitBesideTheLargestBodyIs431() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> answer =
          gateway.post(
              PATH + "?" + "q".repeat(8_000), JSON_RECORD, "Content-Type", "a".repeat(9_000));

      assertThat(answer.statusCode()).isEqualTo(431);
      assertThat(answer.body()).contains("urn:lastfix:problem:head-too-large", "\"limit\":16384");
    }
    assertThat(sender.records()).isEmpty();
  }
}
