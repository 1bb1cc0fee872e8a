package io.lastfix.gateway;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.kafka.OutgoingRecord;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignatureEvidence;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.gateway.signature.SignatureVerifier;
import io.lastfix.gateway.signature.VerifiedSignature;
import io.lastfix.model.SenderHeaders;
import io.lastfix.model.UserPatterns;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Registration and signed records, over HTTP. */
@Execution(ExecutionMode.CONCURRENT)
class SignedRecordsTest {
  private static final String TOKEN = "lfe1.token-of-fleet-a";
  private static final String UUID = "01234567-89ab-4def-8123-456789abcdef";
  private static final String PHONE = "{\"uuid\":\"" + UUID + "\",\"class\":\"phone\"}";
  private static final String RECORDS = "/v1/records/json";
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  private final RecordingSender sender = new RecordingSender();
  private final Devices devices = new Devices();
  private volatile Optional<String> devicesProblem = Optional.empty();
  private volatile boolean isKafkaAway;
  private volatile CompletableFuture<Void> holdWrites = CompletableFuture.completedFuture(null);
  private final AtomicInteger writes = new AtomicInteger();
  private TestGateway gateway;

  @BeforeEach
  void start() {
    Instant now = Instant.now();
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-a",
            new Group("fleet-a", List.of("k1"), List.of(EnrolmentToken.hash(TOKEN)), now)));
    String key =
        Base64.getEncoder().encodeToString("a key of the group: 32 characters".getBytes(UTF_8));
    gateway =
        TestGateway.start(
            sender,
            RegisteredDevices.of(
                devices,
                new GroupKeys(
                    null, Map.of("LASTFIX_GROUP_KEY_FLEET_A_K1", key), InstantSource.system()),
                message -> {
                  writes.incrementAndGet();
                  return isKafkaAway
                      ? CompletableFuture.failedFuture(new IllegalStateException("away"))
                      : holdWrites;
                },
                TOLERANCE,
                InstantSource.system(),
                () -> devicesProblem,
                () -> 0,
                () -> {}));
  }

  /** 8 MB by 16 kB: without a look at the token before the body, 500 of them are all of it. */
  @Test
  void requestsWithoutATokenHoldNothingThatDevicesRegisterWith() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket socket = RawClient.connect(gateway.port());
        idle.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST /v1/devices HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer nonsense\r\nContent-Length: 100\r\n\r\n{"
                    .getBytes(UTF_8));
      }
      for (Socket socket : idle) {
        assertThat(RawClient.read(socket))
            .startsWith("HTTP/1.1 401")
            .contains("urn:lastfix:problem:unknown-token");
      }
      register();
      assertThat(gateway.metric("lastfix_gateway_registrations_budget_used_bytes")).isZero();
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void registrationsThatWaitHoldABudgetOfTheirOwnWhichTheAnswerNames() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 600; i++) {
        Socket socket = RawClient.connect(gateway.port());
        idle.add(socket);
        socket
            .getOutputStream()
            .write(
                "POST /v1/devices HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\nContent-Length: 100\r\n\r\n{"
                    .formatted(TOKEN)
                    .getBytes(UTF_8));
      }
      await()
          .untilAsserted(
              () ->
                  assertThat(gateway.metric("lastfix_gateway_registrations_budget_used_bytes"))
                      .isGreaterThan(8 * 1024 * 1024 - 32 * 1024));

      HttpResponse<String> refused =
          gateway.post("/v1/devices", PHONE, "Authorization", "Bearer " + TOKEN);

      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body())
          .contains(
              "The memory for registrations is used up (8 MB, or twice limits.max-bytes if that is more)");
      assertThat(gateway.metric("lastfix_gateway_registrations_budget_bytes"))
          .isEqualTo(8 * 1024 * 1024);
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @AfterEach
  void stop() {
    gateway.close();
  }

  private JsonNode register() throws Exception {
    HttpResponse<String> answer =
        gateway.post("/v1/devices", PHONE, "Authorization", "Bearer " + TOKEN);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(201);
    return new ObjectMapper().readTree(answer.body());
  }

  private static Map<String, String> sign(
      JsonNode device, String path, byte[] body, Instant created, String... headers)
      throws Exception {
    List<Map.Entry<String, String>> lines = new ArrayList<>();
    for (int i = 0; i < headers.length; i += 2) {
      lines.add(Map.entry(headers[i], headers[i + 1]));
    }
    return new RequestSigner(
            device.path("sign").path("label").asText(),
            device.path("keyid").asText(),
            Base64.getDecoder().decode(device.path("secret").asText()),
            SignaturePolicy.OF_DEVICES)
        .sign(RequestSigner.head("POST", path, lines), body, DigestAlgorithm.SHA_256, created);
  }

  private HttpResponse<String> post(
      String path, byte[] body, Map<String, String> signature, String... headers) throws Exception {
    List<String> all = new ArrayList<>(List.of(headers));
    signature.forEach((name, value) -> all.addAll(List.of(name, value)));
    return gateway.post(path, body, all.toArray(String[]::new));
  }

  private static byte[] record() {
    return TestGateway.JSON_RECORD.getBytes(UTF_8);
  }

  @Test
  void aRegisteredDevicesRecordIsStoredUnderItsIdWithTheProofOfItsSignature() throws Exception {
    JsonNode device = register();

    HttpResponse<String> answer =
        post(
            RECORDS,
            record(),
            sign(device, RECORDS, record(), Instant.now(), "Content-Type", "application/json"),
            "Content-Type",
            "application/json");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
    OutgoingRecord stored = sender.records().get(0);
    assertThat(stored.key()).isEqualTo(device.path("device").asText());
    assertThat(stored.headers()).containsEntry("device", device.path("device").asText());
    byte[] secret = Base64.getDecoder().decode(device.path("secret").asText());
    VerifiedSignature verified =
        new SignatureVerifier(SignaturePolicy.OF_DEVICES)
            .verifyHead(
                new SignatureEvidence(stored.headers()).head(), keyid -> secret, Instant.now());
    verified.digest().require(stored.value());
    assertThat(verified.keyid())
        .as("the signature can be proved from the Kafka record alone")
        .isEqualTo(device.path("keyid").asText());
  }

  @Test
  void theRecordNamesTheUsersThatTheGroupMaySpeakForWhenItCame() throws Exception {
    JsonNode device = register();
    Map<String, String> signature = sign(device, RECORDS, record(), Instant.now());
    post(RECORDS, record(), signature);
    Group group = devices.group("fleet-a").orElseThrow();
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-a", group.withSpeaksFor(new UserPatterns(List.of("35*", "u")))));
    post(RECORDS, record(), signature, "speaks-for", "*", "Speaks-For", "*");
    devices.apply(new DevicesMessage.OfGroup("fleet-a", group.withSpeaksFor(UserPatterns.NONE)));
    post(RECORDS, record(), signature);

    assertThat(sender.records())
        .extracting(stored -> stored.headers().getOrDefault(SenderHeaders.SPEAKS_FOR, "nobody"))
        .containsExactly("nobody", "35* u", "nobody");
    assertThat(SenderHeaders.ALL).containsAll(sender.records().get(0).headers().keySet());
    assertThat(sender.records().get(0).headers())
        .containsEntry(SenderHeaders.AUTH, SenderHeaders.SIGNED)
        .containsEntry(SenderHeaders.DEVICE, device.path("device").asText())
        .containsKey(SenderHeaders.RECEIVED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?a=b%20c", "?", "?%7e=~&a=%2F", "?a=b+c;d"})
  void aQueryIsSignedAndKeptAsItIsOnTheWire(String query) throws Exception {
    JsonNode device = register();
    Map<String, String> signature = sign(device, RECORDS + query, record(), Instant.now());

    String answer = raw("POST " + RECORDS + query, signature);

    assertThat(answer).startsWith("HTTP/1.1 202");
    OutgoingRecord stored = sender.records().get(0);
    assertThat(stored.headers())
        .containsEntry("path", RECORDS)
        .containsEntry("query", query.substring(1))
        .containsEntry("auth", "signed");
    assertThat(raw("POST " + RECORDS + "?other", signature))
        .startsWith("HTTP/1.1 401")
        .contains("wrong-signature");
  }

  @Test
  void aTargetInAbsoluteFormIsSignedByItsPath() throws Exception {
    Map<String, String> signature = sign(register(), RECORDS + "?a=b", record(), Instant.now());

    assertThat(raw("POST http://gateway.example" + RECORDS + "?a=b", signature))
        .startsWith("HTTP/1.1 202");
  }

  private String raw(String line, Map<String, String> headers) throws Exception {
    StringBuilder request = new StringBuilder(line + " HTTP/1.1\r\nHost: localhost\r\n");
    headers.forEach((name, value) -> request.append(name + ": " + value + "\r\n"));
    request.append("Content-Length: %d\r\n\r\n".formatted(record().length));
    return RawClient.exchange(gateway.port(), request + TestGateway.JSON_RECORD);
  }

  @Test
  void aGatewayWithoutTheGroupsKeyAsksToComeAgainAndSaysSo() throws Exception {
    JsonNode device = register();
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-b",
            new Group("fleet-b", List.of("k1"), List.of(EnrolmentToken.hash("b")), Instant.now())));
    ObjectNode ofB = device.deepCopy();
    ofB.put("keyid", device.path("keyid").asText().replace("fleet-a", "fleet-b"));

    HttpResponse<String> answer =
        post(RECORDS, record(), sign(ofB, RECORDS, record(), Instant.now()));

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.body()).contains("urn:lastfix:problem:group-key-absent");
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
    assertThat(gateway.get("/ready").statusCode()).as("for devices of fleet-a").isEqualTo(200);
    assertThat(gateway.get("/ready").body()).contains("\"groupsWithoutKey\":[\"fleet-b\"]");
    assertThat(gateway.metric("lastfix_gateway_groups_without_key")).isEqualTo(1);
    devices.apply(new DevicesMessage.OfGroup("fleet-a", null));
    assertThat(gateway.get("/ready").statusCode()).as("no group is left").isEqualTo(503);
  }

  @Test
  void aGatewayWithoutAnyKeyOfAGroupDoesNotStartIfRecordsAreSigned() {
    RegisteredDevices withoutKeys =
        RegisteredDevices.of(
            devices,
            new GroupKeys(null, Map.of(), InstantSource.system()),
            message -> CompletableFuture.completedFuture(null),
            TOLERANCE,
            InstantSource.system(),
            Optional::empty,
            () -> 0,
            () -> {});

    assertThatThrownBy(() -> TestGateway.start(sender, withoutKeys))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no key of a group is here")
        .hasMessageContaining("devices.group-keys");
    TestGateway.start(sender, withoutKeys, "access.records=unsigned").close();
  }

  @Test
  void registrationsHoldNothingOfTheRecordsBudget() throws Exception {
    CompletableFuture<Void> written = new CompletableFuture<>();
    holdWrites = written;
    CompletableFuture<HttpResponse<String>> answer =
        CompletableFuture.supplyAsync(
            () -> {
              try {
                return gateway.post("/v1/devices", PHONE, "Authorization", "Bearer " + TOKEN);
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            });
    await().until(() -> writes.get() == 1);

    assertThat(gateway.gateway().budget().used()).isZero();

    written.complete(null);
    assertThat(answer.join().statusCode()).isEqualTo(201);
  }

  @Test
  void aGzippedBodyIsSignedAsItIsOnTheWire() throws Exception {
    JsonNode device = register();
    byte[] body = TestGateway.gzip(record());

    HttpResponse<String> answer =
        post(
            RECORDS,
            body,
            sign(device, RECORDS, body, Instant.now(), "Content-Encoding", "gzip"),
            "Content-Encoding",
            "gzip");

    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
  }

  @Test
  void anUnsignedRecordIsRefusedBeforeItsBodyIsReadAndTheAnswerSaysWhatToSign() throws Exception {
    HttpResponse<String> answer = gateway.post(RECORDS, record());

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("urn:lastfix:problem:not-signed");
    assertThat(answer.headers().firstValue("accept-signature"))
        .hasValue("lastfix=(\"@method\" \"@path\" \"@query\" \"content-digest\");created;keyid");
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void anotherBodyThanTheSignedOneIsRefused() throws Exception {
    Map<String, String> signature = sign(register(), RECORDS, record(), Instant.now());

    HttpResponse<String> answer = post(RECORDS, "{}".getBytes(UTF_8), signature);

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.body()).contains("wrong-digest");
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void aSignatureOfAnotherPathOrAnOldOneIsRefused() throws Exception {
    JsonNode device = register();

    assertThat(
            post(RECORDS, record(), sign(device, "/v1/records/mlp", record(), Instant.now()))
                .body())
        .contains("wrong-signature");
    assertThat(
            post(
                    RECORDS,
                    record(),
                    sign(
                        device, RECORDS, record(), Instant.now().minus(TOLERANCE).minusSeconds(60)))
                .body())
        .contains("stale");
    assertThat(sender.records()).isEmpty();
  }

  @Test
  void aDisabledDeviceIsForbiddenAtOnce() throws Exception {
    JsonNode device = register();
    devices.apply(
        new DevicesMessage.OfState(
            DeviceId.parse(device.path("device").asText()), new DeviceState(1, true)));

    HttpResponse<String> answer =
        post(RECORDS, record(), sign(device, RECORDS, record(), Instant.now()));

    assertThat(answer.statusCode()).isEqualTo(403);
    assertThat(answer.body()).contains("device-disabled");
  }

  @Test
  void aRegistrationThatIsRepeatedGivesTheSameAnswerThatNobodyMayKeep() throws Exception {
    JsonNode first = register();

    assertThat(register()).isEqualTo(first);
    assertThat(
            gateway
                .post("/v1/devices", PHONE, "Authorization", "Bearer " + TOKEN)
                .headers()
                .firstValue("cache-control"))
        .hasValueSatisfying(value -> assertThat(value).contains("no-store"));
  }

  @ParameterizedTest
  @CsvSource({
    "Bearer nobodys, '{\"class\":\"phone\"}', 401, unknown-token",
    "Bearer lfe1.token-of-fleet-a, '{\"class\":7}', 400, bad-request",
    "Bearer lfe1.token-of-fleet-a, '', 400, bad-request",
  })
  void aRegistrationThatIsRefusedSaysWhy(
      String authorization, String body, int status, String problem) throws Exception {
    HttpResponse<String> answer = gateway.post("/v1/devices", body, "Authorization", authorization);

    assertThat(answer.statusCode()).isEqualTo(status);
    assertThat(answer.body())
        .contains("urn:lastfix:problem:" + problem)
        .doesNotContain("lfe1.", "nobodys");
  }

  @Test
  void aRegistrationThatKafkaDoesNotTakeIsAskedToComeAgain() throws Exception {
    isKafkaAway = true;

    HttpResponse<String> answer =
        gateway.post("/v1/devices", PHONE, "Authorization", "Bearer " + TOKEN);

    assertThat(answer.statusCode()).isEqualTo(503);
    assertThat(answer.headers().firstValue("retry-after")).isPresent();
  }

  @Test
  void aCompressedRegistrationIsRefused() throws Exception {
    HttpResponse<String> answer =
        gateway.post(
            "/v1/devices",
            TestGateway.gzip(PHONE.getBytes(UTF_8)),
            "Authorization",
            "Bearer " + TOKEN,
            "Content-Encoding",
            "gzip");

    assertThat(answer.statusCode()).isEqualTo(415);
  }

  @Test
  void aGatewayThatNoLongerHearsOfRevocationsIsNotReady() throws Exception {
    assertThat(gateway.get("/ready").statusCode()).isEqualTo(200);

    devicesProblem = Optional.of("lastfix.devices is followed no longer");

    assertThat(gateway.get("/ready").statusCode()).isEqualTo(503);
    assertThat(gateway.get("/ready").body()).contains("followed no longer");
  }

  @Test
  void noSecretAndNoTokenIsInTheMetrics() throws Exception {
    JsonNode device = register();
    gateway.post(RECORDS, record());

    assertThat(gateway.get("/metrics").body())
        .contains("lastfix_gateway_devices ", "problem=\"not-signed\"")
        .doesNotContain(device.path("secret").asText(), TOKEN, UUID);
  }
}
