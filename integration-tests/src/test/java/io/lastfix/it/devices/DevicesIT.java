package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.devices.DeviceId;
import io.lastfix.gateway.devices.DeviceState;
import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesFollower;
import io.lastfix.gateway.devices.DevicesTopic;
import io.lastfix.gateway.devices.DevicesTopicWriter;
import io.lastfix.gateway.devices.GroupKeys;
import io.lastfix.gateway.devices.Registration;
import io.lastfix.gateway.devices.RegistrationAnswer;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.ServerSite;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands on groups and devices, and a gateway's view of the same topic, with a real broker.
 */
class DevicesIT {
  private static final String UUID_1 = "01234567-89ab-4def-8123-456789abcdef";

  private static final String RECORD =
      "{\"user\":\"350000000007919\",\"cell\":\"234-10-4021-20911362\",\"ts\":1795176001001}";

  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private static final Duration LIMIT = Duration.ofMinutes(1);

  private static TestStack stack;

  @TempDir private Path directory;

  @BeforeAll
  static void connect() {
    stack = TestStack.shared();
  }

  @Test
  void aGroupIsMadeADeviceEnrolsAndEveryGatewaySeesItsRotationAndRevocation() throws Exception {
    String topic = "devices-commands";
    JsonNode group = run(topic, "group", "create", "fleet-a").json();
    assertThat(group.path("keyFile").asText()).isEqualTo(keys().resolve("fleet-a.k1").toString());

    Devices devices = new Devices();
    try (DevicesFollower follower = follower(topic, devices);
        DevicesTopicWriter writer = new DevicesTopicWriter(topic, kafka(), LIMIT)) {
      follower.ready().join();
      Registration registration =
          new Registration(
              devices,
              new GroupKeys(keys(), Map.of(), InstantSource.system()),
              writer::write,
              InstantSource.system(),
              UUID::randomUUID);
      var registered =
          (RegistrationAnswer.Registered)
              register(registration, group.path("token").asText(), UUID_1).join();

      JsonNode enrolled =
          run(topic, "device", "enrol", "--group=fleet-a", "--class=phone", "--uuid=" + UUID_1)
              .json();
      assertThat(enrolled.path("secret").asText()).isEqualTo(registered.secret());
      assertThat(enrolled.path("keyid").asText()).isEqualTo(registered.keyid().toString());

      DeviceId device = registered.device();
      run(topic, "device", "rotate", device.toString());
      await().until(() -> devices.state(device).equals(new DeviceState(2, false)));
      run(topic, "device", "revoke", device.toString());
      await().until(() -> devices.state(device).equals(new DeviceState(2, true)));
      assertThat(register(registration, group.path("token").asText(), UUID_1).join().status())
          .isEqualTo(403);

      JsonNode listed = run(topic, "device", "list", "--disabled").json();
      assertThat(listed).hasSize(1);
      assertThat(listed.get(0).path("device").asText()).isEqualTo(device.toString());
      assertThat(
              run(topic, "device", "show", device.toString())
                  .json()
                  .at("/device/generation")
                  .asInt())
          .isEqualTo(2);

      run(topic, "device", "revoke", "--undo", device.toString());
      run(topic, "group", "rotate", "fleet-a", "--prepare");
      JsonNode rotated = run(topic, "group", "rotate", "fleet-a").json();
      assertThat(rotated.path("keys")).hasToString("[\"k2\",\"k1\"]");
      await().until(() -> devices.group("fleet-a").orElseThrow().currentKey().equals("k2"));
      var again =
          (RegistrationAnswer.Registered)
              register(registration, group.path("token").asText(), UUID_1).join();
      assertThat(again.keyid()).hasToString("k2.fleet-a." + device + ".2");
    }
    try (Stream<Path> files = Files.list(keys())) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrder("fleet-a.k1", "fleet-a.k2");
    }
  }

  @Test
  void thousandsOfRegistrationsOfOneNewManifestAtOnceAreAllStored() throws Exception {
    String topic = "devices-many";
    int count = 5_000;
    JsonNode group = run(topic, "group", "create", "fleet-a").json();
    Devices devices = new Devices();
    try (DevicesFollower follower = follower(topic, devices);
        DevicesTopicWriter writer = new DevicesTopicWriter(topic, kafka(), LIMIT)) {
      follower.ready().join();
      Registration registration =
          new Registration(
              devices,
              new GroupKeys(keys(), Map.of(), InstantSource.system()),
              writer::write,
              InstantSource.system(),
              UUID::randomUUID);
      List<CompletableFuture<RegistrationAnswer>> answers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        answers.add(
            register(registration, group.path("token").asText(), UUID.randomUUID().toString()));
      }
      assertThat(answers).allSatisfy(answer -> assertThat(answer.join().status()).isEqualTo(201));
    }

    Devices restarted = new Devices();
    try (DevicesFollower follower = follower(topic, restarted)) {
      follower.ready().join();
      assertThat(restarted.size()).isEqualTo(count);
      assertThat(restarted.manifests()).isEqualTo(1);
    }
  }

  @Test
  void aTopicThatIsNotCompactedIsRefusedWithTheCommandThatChangesIt() throws Exception {
    String topic = "devices-deleted";
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", stack.kafka()))) {
      admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();

      assertThatThrownBy(
              () -> new DevicesTopic(stack.kafka(), topic, 1, (short) 1).ensure(admin, true))
          .hasMessage(
              "The topic devices-deleted has cleanup.policy=delete, so Kafka would delete registrations: run kafka-configs.sh --bootstrap-server %s --alter --entity-type topics --entity-name devices-deleted --add-config cleanup.policy=compact"
                  .formatted(stack.kafka()));
    }
  }

  /** The whole way over HTTP, with a gateway as a process of its own. */
  @Test
  void aDeviceRegistersPushesSignedRecordsAndIsLockedOut() throws Exception {
    String topic = "devices-signed";
    Path folder = directory.resolve("gateway");
    String wrongToken = "lfe1.a-token-that-no-group-has";
    String secret;
    String token = run(topic, "group", "create", "fleet-a").json().path("token").asText();
    try (GatewayServer gateway =
        new GatewayServer(
            ServerSite.fresh(folder),
            stack.kafka(),
            List.of(
                "access.records=signed",
                "devices.topic=" + topic,
                "devices.group-keys=" + keys(),
                "profiles.names=json",
                "kafka.location-topic-prefix=devices-signed.location."))) {
      gateway.start();
      gateway.awaitReady(Duration.ofMinutes(2));
      HttpResponse<String> registered =
          post(
              gateway,
              "/v1/devices",
              "{\"uuid\":\"" + UUID_1 + "\",\"class\":\"phone\"}",
              Map.of("Authorization", "Bearer " + token));
      assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
      JsonNode device = new ObjectMapper().readTree(registered.body());
      secret = device.path("secret").asText();
      assertThat(
              post(gateway, "/v1/devices", "{}", Map.of("Authorization", "Bearer " + wrongToken))
                  .statusCode())
          .isEqualTo(401);

      HttpResponse<String> stored = pushSigned(gateway, device);
      assertThat(stored.statusCode()).as(stored.body()).isEqualTo(202);
      assertThat(stored.body()).contains("devices-signed.location.json");
      assertThat(post(gateway, "/v1/records/json", RECORD, Map.of()).statusCode()).isEqualTo(401);

      run(topic, "device", "revoke", device.path("device").asText());
      await().until(() -> pushSigned(gateway, device).statusCode() == 403);
    }

    List<String> secrets = new ArrayList<>(List.of(token, wrongToken, secret));
    for (Path key : filesBelow(keys())) {
      secrets.add(Files.readString(key).strip());
    }
    assertThat(secrets).as("with the group's key").hasSizeGreaterThan(3);
    List<Path> written = filesBelow(folder);
    assertThat(written).as("the gateway's log").anyMatch(file -> file.endsWith("gateway.log"));
    for (Path file : written) {
      assertThat(new String(Files.readAllBytes(file), StandardCharsets.ISO_8859_1))
          .as("%s", file)
          .doesNotContain(secrets);
    }
  }

  private static List<Path> filesBelow(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  private static HttpResponse<String> pushSigned(GatewayServer gateway, JsonNode device)
      throws Exception {
    byte[] body = RECORD.getBytes(StandardCharsets.UTF_8);
    return post(
        gateway,
        "/v1/records/json",
        RECORD,
        new RequestSigner(
                "lastfix",
                device.path("keyid").asText(),
                Base64.getDecoder().decode(device.path("secret").asText()),
                SignaturePolicy.OF_DEVICES)
            .sign(
                RequestSigner.head("POST", "/v1/records/json", List.of()),
                body,
                DigestAlgorithm.SHA_256,
                Instant.now()));
  }

  private static HttpResponse<String> post(
      GatewayServer gateway, String path, String body, Map<String, String> headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway.endpoint() + path))
            .timeout(Duration.ofSeconds(60))
            .POST(HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static CompletableFuture<RegistrationAnswer> register(
      Registration registration, String token, String uuid) {
    return registration.register(
        "Bearer " + token,
        "{\"uuid\":\"%s\",\"class\":\"phone\",\"manifest\":{\"a\":1}}"
            .formatted(uuid)
            .getBytes(StandardCharsets.UTF_8));
  }

  private Path keys() {
    return directory.resolve("group-keys");
  }

  private static DevicesFollower follower(String topic, Devices known) {
    return new DevicesFollower(topic, kafka(), known, LIMIT, usage -> {}).start();
  }

  private static Map<String, Object> kafka() {
    return Map.of("bootstrap.servers", stack.kafka());
  }

  private LastfixProcess.Result run(String topic, String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--json", "--devices-topic", topic, "--kafka", stack.kafka()));
    if (arguments[0].equals("group") || arguments[1].equals("enrol")) {
      all.addAll(List.of("--group-keys", keys().toString()));
    }
    LastfixProcess.Result result = LastfixInProcess.run(all.toArray(String[]::new));
    assertThat(result.exitCode()).as(result.err()).isZero();
    return result;
  }
}
