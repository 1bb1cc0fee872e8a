package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.kafka.NotStored;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.model.device.HeartbeatCodec;
import io.lastfix.model.device.HeartbeatMessage.Heartbeat;
import io.lastfix.model.device.HeartbeatMessage.RecordSign;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Signs of life: of records, and {@code POST /v1/heartbeat}; and the quota's answers. */
@Execution(ExecutionMode.CONCURRENT)
class HeartbeatsTest {
  private static final String RECORDS = "/v1/records/json";
  private static final String PATH = "/v1/heartbeat";
  private static final String MANIFEST = "0f".repeat(32);

  private final RecordingSender sender = new RecordingSender();

  @Test
  void anAcceptedRecordIsASignOfLifeOfItsDevice() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a", "Lastfix-SDK", "acme/1.2.3");
      gateway.post(RECORDS, JSON_RECORD);
      String query = "id=b&timestamp=1795176001&lat=37.75&lon=-122.25";
      gateway.get("/osmand?" + query);

      assertThat(sender.signs()).extracting(OutgoingRecord::key).containsExactly("a", "b");
      assertThat(HeartbeatCodec.read(sender.signs().get(0).value()))
          .isEqualTo(new RecordSign(JSON_RECORD.length(), "acme/1.2.3"));
      assertThat(HeartbeatCodec.read(sender.signs().get(1).value()))
          .as("a record that is a query counts its bytes, too")
          .isEqualTo(new RecordSign(query.length(), null));
      assertThat(gateway.metric("lastfix_gateway_signs_total{kind=\"record\"}")).isEqualTo(2);
    }
  }

  @Test
  void aRecordIsAcceptedAlsoIfItsSignOfLifeIsLost() throws Exception {
    sender.withoutHeartbeats(NotStored.because("away"));
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> answer = gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a");

      assertThat(answer.statusCode()).isEqualTo(202);
      assertThat(gateway.metric("lastfix_gateway_signs_lost_total")).isEqualTo(1);
    }
  }

  @Test
  void aRecordThatIsNotStoredIsNoSignOfLife() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender)) {
      var answer =
          CompletableFuture.supplyAsync(
              () -> {
                try {
                  return gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a").statusCode();
                } catch (Exception e) {
                  throw new IllegalStateException(e);
                }
              });
      await().until(() -> sender.records().size() == 1);
      sender.fail(0, NotStored.because("away"));

      assertThat(answer.join()).isEqualTo(503);
      assertThat(sender.signs()).isEmpty();
    }
  }

  @Test
  void aGatewayThatTakesNoRecordsSaysWhySoThatItWritesNoTicks() throws Exception {
    sender.holding();
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.gateway().subscriptionFault()).isEmpty();
      gateway.kafkaProblem = "no leader";
      assertThat(gateway.gateway().subscriptionFault()).hasValue("no leader");
      gateway.kafkaProblem = null;

      CompletableFuture<Integer> failed = asyncRecord(gateway);
      await().until(() -> sender.records().size() == 1);
      sender.fail(0, NotStored.because("too few replicas"));
      assertThat(failed.join()).isEqualTo(503);
      assertThat(gateway.gateway().subscriptionFault()).hasValue("the last record was not stored");

      CompletableFuture<Integer> stored = asyncRecord(gateway);
      await().until(() -> sender.records().size() == 2);
      sender.acknowledge(1);
      assertThat(stored.join()).isEqualTo(202);
      assertThat(gateway.gateway().subscriptionFault()).isEmpty();
    }
  }

  private static CompletableFuture<Integer> asyncRecord(TestGateway gateway) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a").statusCode();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aHeartbeatIsStoredAsItsDevices() throws Exception {
    String body =
        "{\"seq\":7,\"interval\":60,\"class\":\"phone\",\"sdk\":\"acme/1\",\"manifest\":\"%s\",\"status\":\"ok\",\"more\":1}"
            .formatted(MANIFEST);
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> answer = gateway.post(PATH, body, "Lastfix-Device", "a");

      assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
      assertThat(answer.body())
          .isEqualTo(
              "{\"topic\":\"lastfix.heartbeats\",\"partition\":0,\"offset\":0,\"result\":\"ok\"}");
      assertThat(sender.records()).isEmpty();
      assertThat(sender.signs().get(0).key()).isEqualTo("a");
      assertThat(HeartbeatCodec.read(sender.signs().get(0).value()))
          .isEqualTo(new Heartbeat(body.length(), 7, 60, "phone", "acme/1", MANIFEST, "ok"));
    }
  }

  @Test
  void whatABodyDoesNotSayComesFromTheHead() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      String body = "{\"seq\":0,\"interval\":1}";
      gateway.post(PATH, body, "Lastfix-Device", "a", "Lastfix-SDK", "acme/1.2.3");

      assertThat(HeartbeatCodec.read(sender.signs().get(0).value()))
          .isEqualTo(new Heartbeat(body.length(), 0, 1, null, "acme/1.2.3", null, null));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "no json | The body is no valid JSON: send an object such as {\"seq\": 1, \"interval\": 60}",
        "[] | The body is no JSON object: send one such as {\"seq\": 1, \"interval\": 60}",
        "{\"interval\":60} | seq: expected a whole number, 0 or more",
        "{\"seq\":1} | interval: expected a whole number, 0 or more",
        "{\"seq\":1,\"interval\":0} | interval: expected 1 to 86400 seconds",
        "{\"seq\":1,\"interval\":86401} | interval: expected 1 to 86400 seconds",
        "{\"seq\":1,\"interval\":1,\"class\":3} | class: expected a text",
        "{\"seq\":1,\"interval\":1,\"manifest\":\"0F\"} | manifest: expected the SHA-256 of a manifest, 64 hexadecimal digits in lower case",
      })
  void aWrongHeartbeatIsRefusedWithTheMember(String body, String detail) throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      HttpResponse<String> answer = gateway.post(PATH, body, "Lastfix-Device", "a");

      assertThat(answer.statusCode()).isEqualTo(400);
      assertThat(json(answer).path("detail").asText()).isEqualTo(detail);
      assertThat(sender.signs()).isEmpty();
    }
  }

  @Test
  void aHeartbeatNeedsADeviceAccessAndARoute() throws Exception {
    String body = "{\"seq\":0,\"interval\":1}";
    try (TestGateway gateway = TestGateway.start(sender)) {
      assertThat(gateway.post(PATH, body).statusCode()).isEqualTo(400);
      assertThat(gateway.post(PATH, " ".repeat(5_000), "Lastfix-Device", "a").statusCode())
          .isEqualTo(413);
    }
    try (TestGateway gateway = TestGateway.start(sender, "access.records=closed")) {
      assertThat(gateway.post(PATH, body, "Lastfix-Device", "a").statusCode()).isEqualTo(403);
    }
    assertThat(sender.signs()).isEmpty();
  }

  @Test
  void aHeartbeatHoldsItsShareOfTheBudgetUntilKafkaHasAnswered() throws Exception {
    sender.holdingSigns();
    try (TestGateway gateway = TestGateway.start(sender)) {
      var answer = async(gateway, "{\"seq\":0,\"interval\":1}");
      await().until(() -> sender.signs().size() == 1);

      assertThat(gateway.gateway().budget().used()).isGreaterThan(16 * 1024);

      sender.acknowledgeSigns();
      assertThat(answer.join()).isEqualTo(202);
      await().until(() -> gateway.gateway().budget().used() == 0);
    }
  }

  @Test
  void aHeartbeatBeyondTheLimitOfOpenRequestsIs503() throws Exception {
    sender.holdingSigns();
    try (TestGateway gateway = TestGateway.start(sender, "limits.max-requests=1")) {
      var first = async(gateway, "{\"seq\":0,\"interval\":1}");
      await().until(() -> sender.signs().size() == 1);

      HttpResponse<String> second =
          gateway.post(PATH, "{\"seq\":1,\"interval\":1}", "Lastfix-Device", "a");

      assertThat(second.statusCode()).isEqualTo(503);
      assertThat(second.body()).contains("urn:lastfix:problem:overloaded");
      sender.acknowledgeSigns();
      assertThat(first.join()).isEqualTo(202);
    }
  }

  @Test
  void aHeartbeatThatDoesNotSayItsLengthIsNotReadBeyondItsLimit() throws Exception {
    try (TestGateway gateway = TestGateway.start(sender)) {
      byte[] body = " ".repeat(100_000).getBytes(UTF_8);

      HttpResponse<String> answer =
          gateway.send(
              gateway
                  .request(PATH)
                  .header("Lastfix-Device", "a")
                  .POST(
                      HttpRequest.BodyPublishers.ofInputStream(
                          () -> new ByteArrayInputStream(body))));

      assertThat(answer.statusCode()).isEqualTo(413);
      assertThat(json(answer).path("limit").asLong()).isEqualTo(4_096);
    }
  }

  private static CompletableFuture<Integer> async(TestGateway gateway, String body) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return gateway.post(PATH, body, "Lastfix-Device", "a").statusCode();
          } catch (Exception e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void aDeviceThatHasUsedItsQuotaGets429UntilMidnightAndOthersDoNot() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(sender, "quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb")) {
      String body = JSON_RECORD + " ".repeat(600 - JSON_RECORD.length());
      assertThat(gateway.post(RECORDS, body, "Lastfix-Device", "a").statusCode()).isEqualTo(202);

      HttpResponse<String> answer = gateway.post(RECORDS, body, "Lastfix-Device", "a");

      assertThat(answer.statusCode()).isEqualTo(429);
      JsonNode problem = json(answer);
      assertThat(problem.path("type").asText()).isEqualTo("urn:lastfix:problem:quota");
      assertThat(problem.path("limit").asLong()).isEqualTo(1_024);
      assertThat(problem.path("used").asLong()).isEqualTo(600);
      assertThat(answer.headers().firstValueAsLong("retry-after").orElseThrow())
          .isBetween(1L, 86_400L + 600);
      assertThat(gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a").statusCode())
          .as("a smaller one still fits")
          .isEqualTo(202);
      assertThat(gateway.post(RECORDS, body, "Lastfix-Device", "b").statusCode()).isEqualTo(202);
      assertThat(gateway.post(RECORDS, body).statusCode()).isEqualTo(202);
      assertThat(
              gateway.post(PATH, "{\"seq\":0,\"interval\":1}", "Lastfix-Device", "a").statusCode())
          .as("it is still there")
          .isEqualTo(202);
    }
  }

  /** The bodies of OwnTracks and Traccar Client have 250 to 1,000 bytes. */
  @Test
  void aPhoneThatReportsEachSecondIsWithinTheDefaultQuota() {
    GatewayConfig config = GatewayConfig.load(null, List.of());

    assertThat(config.quota()).isNotNull();
    assertThat((long) config.quota().bytesPerDay()).isGreaterThan(86_400L * 1_200);
  }

  @Test
  void whoIsOverItsQuotaIsSeenInTheMetricsAndByThisMachine() throws Exception {
    String body = JSON_RECORD + " ".repeat(600 - JSON_RECORD.length());
    try (TestGateway gateway =
        TestGateway.start(sender, "quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb")) {
      gateway.post(RECORDS, body, "Lastfix-Device", "a");
      assertThat(gateway.metric("lastfix_gateway_quota_over_devices")).isZero();
      assertThat(json(gateway.get("/ready")).path("overQuota").toString())
          .isEqualTo("{\"devices\":0,\"names\":[]}");

      gateway.post(RECORDS, body, "Lastfix-Device", "a");
      gateway.post(RECORDS, body, "Lastfix-Device", "a");

      assertThat(gateway.metric("lastfix_gateway_quota_over_devices")).isEqualTo(1);
      assertThat(json(gateway.get("/ready")).path("overQuota").toString())
          .isEqualTo("{\"devices\":1,\"names\":[\"a\"]}");
    }
    try (TestGateway gateway =
        TestGateway.start(
            sender,
            "http.plain-behind-proxy=true",
            "quota.bytes-per-day=1 kb",
            "limits.max-bytes=1 kb")) {
      gateway.post(RECORDS, body, "Lastfix-Device", "a");
      gateway.post(RECORDS, body, "Lastfix-Device", "a");
      assertThat(json(gateway.get("/ready")).path("overQuota").toString())
          .as("others may read it")
          .isEqualTo("{\"devices\":1}");
    }
  }

  @Test
  void aRequestThatNoDayHasRoomForIsTooLargeInsteadOfComingBackEachMidnight() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(sender, "quota.bytes-per-day=1 kb", "limits.max-bytes=1 kb")) {
      String query = "/osmand?id=a&timestamp=1795176101&lat=1&lon=2&x=" + "x".repeat(1_024);

      HttpResponse<String> answer = gateway.get(query);

      assertThat(answer.statusCode()).isEqualTo(413);
      JsonNode problem = json(answer);
      assertThat(problem.path("type").asText()).isEqualTo("urn:lastfix:problem:too-large");
      assertThat(problem.path("detail").asText())
          .contains("1024 bytes a UTC day (quota.bytes-per-day)");
      assertThat(problem.path("limit").asLong()).isEqualTo(1_024);
      assertThat(problem.path("used").asLong()).isGreaterThan(1_024);
      assertThat(answer.headers().firstValue("retry-after")).isEmpty();
    }
  }

  @Test
  void oneOfSeveralGatewaysThatRefusesUntilTheJobHasCountedAsksItOnce() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(
            sender,
            "quota.bytes-per-day=10 kb",
            "limits.max-bytes=10 kb",
            "quota.gateways=10",
            "devices.enabled=true")) {
      assertThat(gateway.post(RECORDS, JSON_RECORD, "Lastfix-Device", "a").statusCode())
          .isEqualTo(202);
      String large = JSON_RECORD + " ".repeat(5_000);

      for (int i = 0; i < 2; i++) {
        HttpResponse<String> answer = gateway.post(RECORDS, large, "Lastfix-Device", "a");
        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.body()).contains("urn:lastfix:problem:quota-uncounted");
      }

      assertThat(sender.signs()).hasSize(2);
      assertThat(HeartbeatCodec.read(sender.signs().get(1).value()))
          .isEqualTo(new RecordSign(0, null));
    }
  }

  @Test
  void withoutAQuotaNothingIsRefused() throws Exception {
    try (TestGateway gateway =
        TestGateway.start(sender, "quota.bytes-per-day=1 kb", "quota.enabled=false")) {
      String body = JSON_RECORD + " ".repeat(2_000);

      assertThat(gateway.post(RECORDS, body, "Lastfix-Device", "a").statusCode()).isEqualTo(202);
    }
  }

  private static JsonNode json(HttpResponse<String> response) throws Exception {
    return new ObjectMapper().readTree(response.body());
  }
}
