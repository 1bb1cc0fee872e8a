package io.lastfix.gateway;

import static io.lastfix.gateway.TestGateway.JSON_RECORD;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesMessage;
import io.lastfix.gateway.devices.EnrolmentToken;
import io.lastfix.gateway.devices.Group;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.RegisteredDevices;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestHead;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.model.UserPatterns;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** A gateway that takes signed messages only, its broker, and a registered device. */
abstract class SignedMqtt {
  private static final String TOKEN = "lfe1.token-of-fleet-a";
  static final UserPatterns USERS = new UserPatterns(List.of("35*"));
  static final byte[] BODY = JSON_RECORD.getBytes(UTF_8);
  private static final Duration TOLERANCE = Duration.ofMinutes(5);

  final RecordingSender sender = new RecordingSender();
  final Devices devices = new Devices();
  FakeBroker broker;
  TestGateway gateway;
  final GroupKeys keys =
      new GroupKeys(
          null,
          Map.of(
              "LASTFIX_GROUP_KEY_FLEET_A_K1",
              Base64.getEncoder()
                  .encodeToString("a key of the group: 32 characters".getBytes(UTF_8))),
          InstantSource.system());
  FakeBroker.Connection connection;
  JsonNode device;

  @BeforeEach
  void start() throws Exception {
    broker = new FakeBroker();
    devices.apply(
        new DevicesMessage.OfGroup(
            "fleet-a",
            new Group("fleet-a", List.of("k1"), List.of(EnrolmentToken.hash(TOKEN)), Instant.now())
                .withSpeaksFor(USERS)));
    gateway =
        TestGateway.start(
            sender,
            RegisteredDevices.of(
                devices,
                keys,
                message -> CompletableFuture.completedFuture(null),
                TOLERANCE,
                InstantSource.system(),
                Optional::empty,
                () -> 0,
                () -> {}),
            "mqtt.broker=" + broker.address(),
            TestGateway.clientIdFile(),
            "mqtt.reconnect-max=300 ms",
            "mqtt.group-key-wait=1 s",
            "mqtt.records=signed");
    connection = broker.subscribed();
    device = register("01234567-89ab-4def-8123-456789abcdef");
  }

  @AfterEach
  void stop() throws Exception {
    gateway.close();
    broker.close();
  }

  JsonNode register(String uuid) throws Exception {
    return new ObjectMapper()
        .readTree(
            gateway
                .post(
                    "/v1/devices",
                    "{\"uuid\":\"%s\",\"class\":\"phone\"}".formatted(uuid),
                    "Authorization",
                    "Bearer " + TOKEN)
                .body());
  }

  String topic() {
    return "lastfix/v1/" + device.path("device").asText() + "/records/json";
  }

  /** The user properties of a message as the device signs it. */
  Map<String, String> sign(
      String method, String topic, byte[] body, Instant created, Map<String, String> headers)
      throws Exception {
    Map<String, String> properties = new LinkedHashMap<>(headers);
    properties.putAll(
        new RequestSigner(
                "lastfix",
                device.path("keyid").asText(),
                Base64.getDecoder().decode(device.path("secret").asText()),
                SignaturePolicy.OF_DEVICES)
            .sign(
                new RequestHead(method, "/" + topic, null, List.copyOf(headers.entrySet())),
                body,
                DigestAlgorithm.SHA_256,
                created));
    return properties;
  }

  Map<String, String> sign(String topic, byte[] body, Instant created) throws Exception {
    return sign("PUBLISH", topic, body, created, Map.of());
  }
}
