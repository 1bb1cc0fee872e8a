package io.lastfix.notify.receiver;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.model.alert.Alert;
import io.lastfix.notify.TestAlert;
import io.lastfix.notify.config.WebhookOptions;
import io.lastfix.notify.config.WebhookSecret;
import io.lastfix.rules.alert.AlertCodec;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookReceiverTest {
  private static final WebhookSecret SECRET =
      WebhookSecret.parse("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");

  private static final Instant NOW = Instant.parse("2026-11-20T12:05:00.700Z");
  private static final Duration TIMEOUT = Duration.ofMillis(700);
  private static final Alert ALERT =
      TestAlert.of("ashgati").confirmed(TestAlert.AT.plusSeconds(60)).alert();

  private FakeReceiver server;

  @BeforeEach
  void start() throws IOException {
    server = new FakeReceiver();
  }

  @AfterEach
  void stop() {
    server.close();
  }

  private static Outcome deliver(URI url) {
    InstantSource clock = InstantSource.fixed(NOW);
    return new WebhookReceiver(
            "dispatch",
            new WebhookOptions(url, List.of(SECRET)),
            new HttpSender(TIMEOUT, clock),
            clock)
        .deliver(ALERT, TestAlert.DISPATCH)
        .orTimeout(20, TimeUnit.SECONDS)
        .join();
  }

  @Test
  void anAlertIsPostedWithItsIdTheTimeOfTheAttemptAndASignatureOfBoth() throws IOException {
    assertThat(deliver(server.answering(204))).isEqualTo(new Outcome.Delivered());

    FakeReceiver.Request request = server.requests().get(0);
    String id = AlertCodec.id(ALERT);
    assertThat(request.header("Webhook-id")).isEqualTo(id);
    assertThat(request.header("Webhook-timestamp")).isEqualTo("" + NOW.getEpochSecond());
    assertThat(request.header("Webhook-signature"))
        .isEqualTo(WebhookSignature.of(List.of(SECRET), id, NOW.getEpochSecond(), request.body()));
    assertThat(request.header("Content-type")).isEqualTo("application/json");
    JsonNode body = new ObjectMapper().readTree(request.body());
    assertThat(body.path("type").asText()).isEqualTo("lastfix.alert");
    assertThat(body.path("timestamp").asText()).isEqualTo("2026-11-20T12:01:00Z");
    assertThat(body.path("data")).isEqualTo(new ObjectMapper().readTree(AlertCodec.value(ALERT)));
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 410, 413, 415, 422})
  void anAnswerAboutTheAlertIsFinal(int status) {
    assertThat(deliver(server.answering(status)))
        .isEqualTo(new Outcome.Refused("the answer was " + status));
  }

  @ParameterizedTest
  @ValueSource(ints = {401, 403, 404, 408, 425, 429, 500, 502, 503, 504})
  void afterAnyOtherAnswerAnotherAttemptMaySucceed(int status) {
    assertThat(deliver(server.answering(status)))
        .isEqualTo(new Outcome.Failed("the answer was " + status));
  }

  @ParameterizedTest
  @CsvSource({
    "7, 7",
    "'Fri, 20 Nov 2026 12:05:10 GMT', 9",
    "'Fri, 20 Nov 2026 12:00:00 GMT', 0",
    "soon, 0"
  })
  void retryAfterIsSecondsOrADate(String text, int seconds) {
    Outcome.Failed failed = (Outcome.Failed) deliver(server.answering(429, "Retry-After", text));

    assertThat(failed.retryAfter().toSeconds()).isEqualTo(seconds);
  }

  @Test
  void aRedirectIsNotFollowed() {
    URI elsewhere = server.answering(204);

    assertThat(deliver(server.answering(307, "Location", elsewhere.toString())))
        .isEqualTo(new Outcome.Failed("the answer was 307"));
    assertThat(server.requests()).hasSize(1);
  }

  @Test
  void aReceiverThatDoesNotAnswerFailsAfterTheTimeout() {
    URI url = server.on("/hangs", exchange -> TimeUnit.SECONDS.sleep(30));

    assertThat(deliver(url)).isEqualTo(new Outcome.Failed("no answer within 700 ms"));
  }

  @Test
  void theTimeoutCoversTheBodyToo() {
    URI url =
        server.on(
            "/drips",
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              OutputStream body = exchange.getResponseBody();
              for (int i = 0; i < 100; i++) {
                body.write('x');
                body.flush();
                TimeUnit.MILLISECONDS.sleep(100);
              }
            });

    assertThat(deliver(url)).isEqualTo(new Outcome.Failed("no answer within 700 ms"));
  }

  @Test
  void aLongBodyIsNotReadToItsEnd() {
    URI url =
        server.on(
            "/floods",
            exchange -> {
              exchange.sendResponseHeaders(200, 0);
              byte[] block = "x".repeat(1 << 16).getBytes(UTF_8);
              // Ends as the connection does.
              while (!Thread.currentThread().isInterrupted()) {
                exchange.getResponseBody().write(block);
              }
            });

    assertThat(deliver(url)).isEqualTo(new Outcome.Delivered());
  }

  @Test
  void aConnectionThatBreaksMayBeTriedAgain() {
    URI url = server.on("/breaks", exchange -> {});

    assertThat(deliver(url))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.reason()).startsWith("no answer: "));
  }

  @Test
  void noReasonQuotesWhatIsNoHttp() throws Exception {
    byte[] head = "HTTP/1.1 \u009b31m secret\r\n\r\n".getBytes(ISO_8859_1);
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var unused =
          CompletableFuture.runAsync(
              () -> {
                try (Socket accepted = socket.accept()) {
                  accepted.getOutputStream().write(head);
                  // Up to the client's end: a reset could come before the answer.
                  accepted.getInputStream().transferTo(OutputStream.nullOutputStream());
                } catch (IOException e) {
                  throw new UncheckedIOException(e);
                }
              });

      assertThat(deliver(URI.create("http://127.0.0.1:" + socket.getLocalPort())))
          .isEqualTo(new Outcome.Failed("no answer: the receiver has sent no valid HTTP"));
    }
  }

  @Test
  void aReceiverThatIsAwayMayBeTriedAgain() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0)) {
      port = free.getLocalPort();
    }

    assertThat(deliver(URI.create("http://127.0.0.1:" + port)))
        .isInstanceOfSatisfying(
            Outcome.Failed.class, failed -> assertThat(failed.reason()).startsWith("no answer: "));
  }
}
