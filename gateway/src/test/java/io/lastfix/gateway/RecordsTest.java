package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.kafka.RecordSender;
import java.io.ByteArrayInputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code POST /v1/records/PROFILE}: what is stored, and each refusal. */
@Execution(ExecutionMode.CONCURRENT)
class RecordsTest {
  private static final String PATH = "/v1/records/json";

  private final RecordingSender sender = new RecordingSender();

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return new ObjectMapper().readTree(response.body());
  }

  /** Checks the form of every refusal. */
  private static JsonNode problem(HttpResponse<String> response, int status, String code)
      throws Exception {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("content-type")).contains("application/problem+json");
    JsonNode problem = json(response);
    assertThat(problem.path("status").asInt()).isEqualTo(status);
    assertThat(problem.path("type").asText()).isEqualTo("urn:lastfix:problem:" + code);
    assertThat(problem.path("title").asText()).isNotBlank();
    assertThat(problem.path("detail").asText()).isNotBlank();
    return problem;
  }

  @Test
  void aStoredRecordIsAnsweredWithItsPlaceInKafka() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response =
          gateway.post(
              PATH, JSON_RECORD, "Lastfix-Device", "350000000007919", "Lastfix-SDK", "acme/1.2.3");

      assertThat(response.statusCode()).isEqualTo(202);
      assertThat(response.body())
          .isEqualTo(
              "{\"topic\":\"lastfix.location.json\",\"partition\":3,\"offset\":0,\"result\":\"ok\"}");
      OutgoingRecord record = sender.records().get(0);
      assertThat(record.key()).isEqualTo("350000000007919");
      assertThat(record.value()).asString(UTF_8).isEqualTo(JSON_RECORD);
      assertThat(record.headers())
          .containsEntry("device", "350000000007919")
          .containsEntry("via", "records")
          .containsEntry("sdk", "acme/1.2.3")
          .containsOnlyKeys("device", "via", "auth", "received", "sdk");
      assertThat(Long.parseLong(record.headers().get("received")))
          .isBetween(System.currentTimeMillis() - 60_000, System.currentTimeMillis());
    }
  }

  @Test
  void theAnswerWaitsForTheAcknowledgement() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender)) {
      CompletableFuture<HttpResponse<String>> answer = postAsync(gateway, JSON_RECORD);
      await().until(() -> sender.records().size() == 1);
      assertThat(answer).isNotDone();

      sender.acknowledge(0);

      assertThat(answer.get().statusCode()).isEqualTo(202);
      assertThat(gateway.gateway().budget().used()).isZero();
    }
  }

  private static CompletableFuture<HttpResponse<String>> postAsync(
      TestGateway gateway, String body) {
    return HttpClient.newHttpClient()
        .sendAsync(
            gateway.request(PATH).POST(HttpRequest.BodyPublishers.ofString(body)).build(),
            HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void gzipIsStoredAsItCame() throws Exception {
    byte[] gzip = TestGateway.gzip(JSON_RECORD.getBytes(UTF_8));
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.post(PATH, gzip, "Content-Encoding", "gzip").statusCode()).isEqualTo(202);
    }
    assertThat(sender.records().get(0).value()).isEqualTo(gzip);
    assertThat(sender.records().get(0).headers()).containsEntry("content-encoding", "gzip");
  }

  @Test
  void contentIsForTheJobToJudge() throws Exception {
    byte[] damaged = TestGateway.gzip(new byte[1000]);
    damaged[12] ^= 0x55;
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.post(PATH, "no JSON at all").statusCode()).isEqualTo(202);
      assertThat(gateway.post(PATH, damaged, "Content-Encoding", "gzip").statusCode())
          .isEqualTo(202);
      assertThat(gateway.post(PATH, "plain", "Content-Encoding", "gzip").statusCode())
          .isEqualTo(202);
    }
    assertThat(sender.records()).hasSize(3);
  }

  @Test
  void anEmptyBodyIs400() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      problem(gateway.post(PATH, ""), 400, "empty");
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void anUnknownProfileIs404AndNamed() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "profiles.names=json")) {
      JsonNode problem =
          problem(gateway.post("/v1/records/mlp", JSON_RECORD), 404, "unknown-profile");
      assertThat(problem.path("detail").asText()).contains("'mlp'").contains("profiles.names");
    }
  }

  @Test
  void anAddressThatIsNoRouteIs404AndAnotherMethod405() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      problem(gateway.get("/v2/records/json"), 404, "not-found");
      HttpResponse<String> get = gateway.get(PATH);
      problem(get, 405, "http-405");
      assertThat(get.headers().firstValue("allow")).contains("POST");
      HttpResponse<String> put =
          gateway.send(gateway.request("/osmand").PUT(HttpRequest.BodyPublishers.noBody()));
      assertThat(problem(put, 405, "http-405").path("detail").asText())
          .isEqualTo("This address takes GET and POST.");
      assertThat(put.headers().firstValue("allow")).contains("GET, POST");
    }
  }

  /** Only heads: an answer that waited for the body would not come. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "/v1/records//json",
        "//v1/records/json",
        "/v1//records/json",
        "/v1/records/json;a=b",
        "/v1;a=b/records/json",
        "/v1/records/js%6fn",
        "/v1/%72ecords/json",
        "/v1/records/json/",
        "/v1/records/json#x",
        "//v1/heartbeat",
        "/osmand;a=b?id=1&lat=1&lon=2",
        "ftp://127.0.0.1/v1/records/json",
        "http://127.0.0.1/v1/records//json"
      })
  void aPathIsServedOnlyAsItsRouteIsWritten(String target) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n"
                      .formatted(target)))
          .startsWith("HTTP/1.1 404");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"/v1/records/json", "/v1/records/json?", "http://a/v1/records/json?b=//c"})
  void aQueryAndAnAuthorityAreNoPartOfThePath(String target) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}"
                      .formatted(target)))
          .startsWith("HTTP/1.1 202");
    }
  }

  @Test
  void twoHostsAre400() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nHost: b\r\nContent-Length: 9\r\n\r\n"))
          .startsWith("HTTP/1.1 400")
          .contains("Send one header Host.");
    }
  }

  @Test
  void aDeviceThatIsNamedTwiceOrUnusablyIs400AndNotStoredWithoutADevice() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String path : List.of(PATH, "/v1/heartbeat")) {
        for (String headers :
            List.of(
                "Lastfix-Device: a\r\nLastfix-Device: b\r\n",
                "Lastfix-Device:\r\n",
                "Lastfix-Device: " + "x".repeat(257) + "\r\n")) {
          assertThat(
                  RawClient.exchange(
                      gateway.port(),
                      "POST %s HTTP/1.1\r\nHost: localhost\r\n%sContent-Length: 9\r\n\r\n"
                          .formatted(path, headers)))
              .startsWith("HTTP/1.1 400")
              .contains("Send one header Lastfix-Device with 1 to 256 characters, or none.");
        }
      }
      assertThat(gateway.post(PATH, JSON_RECORD, "Lastfix-Device", "x".repeat(256)).statusCode())
          .isEqualTo(202);
    }
    assertThat(sender.records()).hasSize(1);
  }

  @Test
  void aBodyThatAnnouncesTooMuchIs413AndNamesLimitAndUse() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "limits.max-bytes=10 kb")) {
      JsonNode problem = problem(gateway.post(PATH, new byte[5 * 1024 * 1024]), 413, "too-large");
      assertThat(problem.path("limit").asLong()).isEqualTo(10 * 1024);
      assertThat(problem.path("used").asLong()).isEqualTo(5 * 1024 * 1024);
      assertThat(gateway.post(PATH, new byte[10 * 1024]).statusCode()).isEqualTo(202);
      problem(gateway.post(PATH, new byte[10 * 1024 + 1]), 413, "too-large");
      assertThat(gateway.gateway().budget().used()).isZero();
    }
  }

  @Test
  void aBodyWithoutAnAnnouncedLengthIsCountedWhileItIsRead() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "limits.max-bytes=10 kb")) {
      HttpRequest.Builder chunked =
          gateway
              .request(PATH)
              .POST(
                  HttpRequest.BodyPublishers.ofInputStream(
                      () -> new ByteArrayInputStream(new byte[100 * 1024])));

      JsonNode problem = problem(gateway.send(chunked), 413, "too-large");

      assertThat(problem.path("limit").asLong()).isEqualTo(10 * 1024);
      assertThat(gateway.gateway().budget().used()).isZero();
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void aBombOfTwoMegabytesIsOpenedNoFurtherThanTheLimit() throws Exception {
    byte[] bomb = TestGateway.bomb(2 << 20);
    assertThat(bomb.length).isGreaterThan(2_000_000);
    try (TestGateway gateway =
        TestGateway.start(
            sender, "limits.max-bytes=4 mb", "quota.bytes-per-day=8 mb", "limits.max-ratio=2000")) {
      JsonNode problem =
          problem(gateway.post(PATH, bomb, "Content-Encoding", "gzip"), 413, "opens-too-large");
      assertThat(problem.path("limit").asLong()).isEqualTo(16 << 20);
      assertThat(problem.path("used").asLong()).isBetween(16L << 20, (16L << 20) + 16 * 1024);
    }
    try (TestGateway gateway =
        TestGateway.start(sender, "limits.max-bytes=4 mb", "quota.bytes-per-day=8 mb")) {
      // The job opens what starts like gzip, whatever the header says.
      problem(gateway.post(PATH, bomb), 413, "opens-too-large");
    }
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void gzipThatIsCompressedTooMuchIs413() throws Exception {
    byte[] dense = TestGateway.gzip(new byte[1 << 20]);
    try (TestGateway gateway = TestGateway.start(sender)) {
      JsonNode problem =
          problem(gateway.post(PATH, dense, "Content-Encoding", "gzip"), 413, "ratio");
      assertThat(problem.path("limit").asLong()).isEqualTo(200);
      assertThat(problem.path("used").asLong()).isGreaterThanOrEqualTo(200);
      byte[] small = TestGateway.gzip(new byte[60 * 1024]);
      assertThat(gateway.post(PATH, small, "Content-Encoding", "gzip").statusCode()).isEqualTo(202);
    }
  }

  @Test
  void anotherEncodingIs415() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      for (String encoding : new String[] {"br", "deflate", "zstd", "gzip, gzip"}) {
        HttpResponse<String> response =
            gateway.post(PATH, JSON_RECORD, "Content-Encoding", encoding);
        problem(response, 415, "encoding");
        assertThat(response.headers().firstValue("accept-encoding")).contains("gzip, identity");
      }
      assertThat(gateway.post(PATH, JSON_RECORD, "Content-Encoding", "identity").statusCode())
          .isEqualTo(202);
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Encoding: gzip\r\nContent-Encoding: br\r\nContent-Length: 9\r\n\r\n"))
          .startsWith("HTTP/1.1 415");
    }
  }

  @Test
  void anOldSdkIs426AndIsToldTheRange() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "sdk.accept.acme=>=1.2.0 <3.0.0")) {
      HttpResponse<String> refused = gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "acme/1.1.9");
      JsonNode problem = problem(refused, 426, "sdk");
      assertThat(refused.headers().firstValue("upgrade")).contains("acme");
      assertThat(problem.path("detail").asText()).contains("acme 1.1.9", ">=1.2.0 <3.0.0");
      assertThat(gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "acme/1.2.0").statusCode())
          .isEqualTo(202);
      assertThat(gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "other/0.0.1").statusCode())
          .isEqualTo(202);
      assertThat(gateway.post(PATH, JSON_RECORD).statusCode()).isEqualTo(202);
      problem(gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "acme"), 400, "bad-request");
      assertThat(
              gateway.metric(
                  "lastfix_gateway_clients_total{accepted=\"false\",client=\"acme\",version=\"1.1.9\"}"))
          .isEqualTo(1);
    }
    try (TestGateway gateway = TestGateway.start(sender, "sdk.required=true")) {
      problem(gateway.post(PATH, JSON_RECORD), 400, "bad-request");
    }
  }

  @Test
  void whoeverIsNotKnownFillsNoCounterOfClients(@TempDir Path directory) throws Exception {
    Path users = Files.writeString(directory.resolve("users"), "jane:" + RawClient.sha256("pw"));
    try (TestGateway gateway =
        TestGateway.start(sender, "access.records=basic", "access.basic-users=" + users)) {
      for (int i = 0; i < 510; i++) {
        gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "acme/1.0." + i);
        gateway.post("/v1/heartbeat", "{}", "Lastfix-SDK", "acme/2.0." + i);
      }
      gateway.post(
          PATH, JSON_RECORD, "Lastfix-SDK", "real/7.0.0", "Authorization", basic("jane:pw"));

      assertThat(gateway.get("/metrics").body().lines().filter(line -> line.contains("client=")))
          .containsExactly(
              "lastfix_gateway_clients_total{accepted=\"true\",client=\"real\",version=\"7.0.0\"} 1.0");
    }
  }

  @Test
  void aClientWithARangeIsCountedByItselfWhateverOthersCallThemselves() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "sdk.accept.acme=>=1.2.0")) {
      for (int i = 0; i < 510; i++) {
        gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "x/1.0." + i);
      }
      gateway.post(PATH, JSON_RECORD, "Lastfix-SDK", "acme/1.2.0");

      assertThat(
              gateway.metric(
                  "lastfix_gateway_clients_total{accepted=\"true\",client=\"acme\",version=\"1.2.0\"}"))
          .isEqualTo(1);
    }
  }

  @Test
  void aUsedUpBudgetIs503BeforeTheBodyIsRead() throws Exception {
    sender.holding();
    try (TestGateway gateway =
        TestGateway.start(sender, "limits.max-bytes=60 kb", "limits.budget=124 kb")) {
      CompletableFuture<HttpResponse<String>> first = postAsync(gateway, "x".repeat(60 * 1024));
      await().until(() -> sender.records().size() == 1);
      long held = gateway.gateway().budget().used();
      assertThat(held).as("the body and what a request costs").isBetween(76 * 1024L, 80 * 1024L);

      // Only a head: an answer that waited for the body would not come.
      String answer =
          RawClient.exchange(
              gateway.port(),
              "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000\r\n\r\n");

      assertThat(answer).startsWith("HTTP/1.1 503").contains("urn:lastfix:problem:overloaded");
      HttpResponse<String> second = gateway.post(PATH, "x".repeat(40_000));
      JsonNode problem = problem(second, 503, "overloaded");
      assertThat(problem.path("limit").asLong()).isEqualTo(124 * 1024);
      assertThat(problem.path("used").asLong()).isEqualTo(held);
      assertThat(retryAfter(second)).isBetween(5, 15);
      sender.acknowledge(0);
      assertThat(first.get().statusCode()).isEqualTo(202);
      CompletableFuture<HttpResponse<String>> third = postAsync(gateway, JSON_RECORD);
      await().until(() -> sender.records().size() == 2);
      sender.acknowledge(1);
      assertThat(third.get().statusCode()).isEqualTo(202);
      assertThat(gateway.gateway().budget().used()).isZero();
    }
  }

  private static int retryAfter(HttpResponse<String> response) {
    return Integer.parseInt(response.headers().firstValue("retry-after").orElseThrow());
  }

  @Test
  void aRecordThatKafkaDoesNotAcknowledgeIs503WithJitter() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender, "http.retry-after=1000 s")) {
      TreeSet<Integer> waits = new TreeSet<>();
      for (int i = 0; i < 8; i++) {
        int index = i;
        CompletableFuture<HttpResponse<String>> answer = postAsync(gateway, JSON_RECORD);
        await().until(() -> sender.records().size() == index + 1);
        sender.fail(i, NotStored.because("broker is away"));
        problem(answer.get(), 503, "not-stored");
        waits.add(retryAfter(answer.get()));
      }
      assertThat(waits).hasSizeGreaterThan(3).allSatisfy(it -> assertThat(it).isBetween(500, 1501));
    }
  }

  /** Its users have the answer alone, and its operators the log alone. */
  @Test
  void aFailureOfTheGatewayIs500AndNamesItsRequestInTheLog() throws Exception {
    RecordSender broken =
        record -> {
          throw new IllegalStateException("broken");
        };
    try (TestGateway gateway = TestGateway.start(broken)) {
      JsonNode problem = problem(gateway.post(PATH, JSON_RECORD), 500, "http-500");
      assertThat(problem.path("detail").asText())
          .matches("The gateway failed: .* in its log, under request [0-9a-f]{8}\\.");
    }
  }

  @Test
  void aClosedRouteIs403AndNamesTheKey() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender, "access.records=closed")) {
      JsonNode problem = problem(gateway.post(PATH, JSON_RECORD), 403, "closed");
      assertThat(problem.path("detail").asText()).contains("access.records");
    }
  }

  @Test
  void basicTakesTheUserAsTheDevice(@TempDir Path directory) throws Exception {
    Path users = directory.resolve("users");
    Files.writeString(
        users, "# a comment\n\njane:" + RawClient.sha256("correct-horse-battery") + "\n");
    try (TestGateway gateway =
        TestGateway.start(sender, "access.records=basic", "access.basic-users=" + users)) {
      HttpResponse<String> response =
          gateway.post(PATH, JSON_RECORD, "Authorization", basic("jane:correct-horse-battery"));
      assertThat(response.statusCode()).isEqualTo(202);
      assertThat(sender.records().get(0).key()).isEqualTo("jane");

      for (String wrong :
          new String[] {
            basic("jane:wrong"),
            basic("john:correct-horse-battery"),
            basic("jane"),
            "Basic !",
            "Bearer x"
          }) {
        HttpResponse<String> refused = gateway.post(PATH, JSON_RECORD, "Authorization", wrong);
        problem(refused, 401, "unauthorized");
        assertThat(refused.headers().firstValue("www-authenticate")).isPresent();
      }
      problem(gateway.post(PATH, JSON_RECORD), 401, "unauthorized");
    }
    assertThat(sender.records()).hasSize(1);
  }

  private static String basic(String credentials) {
    return "Basic " + Base64.getEncoder().encodeToString(credentials.getBytes(UTF_8));
  }

  @Test
  void http2WithoutTlsWorksToo() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> response =
          HttpClient.newBuilder()
              .version(HttpClient.Version.HTTP_2)
              .build()
              .send(
                  HttpRequest.newBuilder(URI.create(gateway.uri(PATH).toString()))
                      .POST(HttpRequest.BodyPublishers.ofString(JSON_RECORD))
                      .build(),
                  HttpResponse.BodyHandlers.ofString());

      assertThat(response.statusCode()).isEqualTo(202);
      assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
    }
  }

  @Test
  void readinessFollowsKafkaAndHealthDoesNot() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.get("/ready").statusCode()).isEqualTo(200);
      gateway.kafkaProblem = "no metadata: TimeoutException";
      assertThat(gateway.get("/ready").statusCode()).isEqualTo(503);
      assertThat(gateway.get("/ready").body()).contains("no metadata: TimeoutException");
      assertThat(gateway.get("/health").statusCode()).isEqualTo(200);
      assertThat(gateway.metric("lastfix_gateway_kafka_ready")).isZero();
    }
  }

  @Test
  void eachRequestIsCountedOnceAndTheSumsHold() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post(PATH, JSON_RECORD);
      gateway.post(PATH, JSON_RECORD);
      gateway.post(PATH, "");

      await()
          .untilAsserted(
              () -> {
                assertThat(
                        gateway.metric(
                            "lastfix_gateway_answers_total{route=\"records\",status=\"202\"}"))
                    .isEqualTo(2);
                assertThat(
                        gateway.metric(
                            "lastfix_gateway_answers_total{route=\"records\",status=\"400\"}"))
                    .isEqualTo(1);
              });
      assertThat(
              gateway.metric("lastfix_gateway_records_total{profile=\"json\",route=\"records\"}"))
          .isEqualTo(2);
      assertThat(
              gateway.metric("lastfix_gateway_refused_total{problem=\"empty\",route=\"records\"}"))
          .isEqualTo(1);
      assertThat(
              gateway.metric(
                  "lastfix_gateway_record_bytes_total{profile=\"json\",route=\"records\"}"))
          .isEqualTo(2 * JSON_RECORD.length());
      assertThat(gateway.metric("lastfix_gateway_request_seconds_count{route=\"records\"}"))
          .isEqualTo(3);
      assertThat(
              gateway.get("/metrics").body().lines().filter(line -> !line.startsWith("#")).toList())
          .allSatisfy(line -> assertThat(line).startsWith("lastfix_gateway_"));
    }
  }

  @Test
  void aDevicesNameIsUtf8AlsoInAHeader() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      String head = "POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n";
      String end = "\r\n\r\n" + JSON_RECORD;
      String of = head.formatted(JSON_RECORD.length());

      assertThat(RawClient.exchange(gateway.port(), of + "Lastfix-Device: Müller" + end))
          .startsWith("HTTP/1.1 202");
      assertThat(
              RawClient.exchange(
                  gateway.port(),
                  of.replace("/v1/records/json", "/pub")
                      + "X-Limit-U: Müller\r\nX-Limit-D: ä"
                      + end))
          .startsWith("HTTP/1.1 200");
      assertThat(gateway.get("/osmand?id=M%C3%BCller&timestamp=1&lat=1&lon=2").statusCode())
          .isEqualTo(200);

      assertThat(sender.records())
          .extracting(OutgoingRecord::key)
          .containsExactly("Müller", "owntracks/Müller/ä", "Müller");
    }
  }

  @Test
  void aDevicesNameThatIsNotUtf8IsRefused() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender);
        Socket socket = RawClient.connect(gateway.port())) {
      socket
          .getOutputStream()
          .write(
              ("POST /v1/records/json HTTP/1.1\r\nHost: localhost\r\nLastfix-Device: Müller\r\n"
                      + "Content-Length: 2\r\n\r\n[]")
                  .getBytes(ISO_8859_1));

      assertThat(RawClient.read(socket))
          .startsWith("HTTP/1.1 400")
          .contains("The header Lastfix-Device is not UTF-8.");
      assertThat(sender.records()).isEmpty();
    }
  }
}
