package io.lastfix.it.devices;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.gateway.signature.DigestAlgorithm;
import io.lastfix.gateway.signature.RequestSigner;
import io.lastfix.gateway.signature.SignaturePolicy;
import io.lastfix.it.harness.LastfixInProcess;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.ServerSite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A gateway that takes signed records only, a job that compares users with senders, and the proof
 * of the signatures afterwards.
 */
class SendersIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final String RECORDS = "/v1/records/json";
  private static final String GROUPS_USER = "350000000007919";

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final ObjectMapper json = new ObjectMapper();
  private Path directory;
  private String name;
  private TestStack stack;
  private LocationRun run;
  private GatewayServer gateway;
  private JsonNode device;

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    directory = folder;
    stack = TestStack.shared();
    name = "senders";
    run = new LocationRun(stack, directory, name, "profiles.names=json", "parse.check-users=all");
    String token =
        lastfix("group", "create", "fleet-a", "--speaks-for=35*", "--json")
            .mustExitWith(0)
            .json()
            .path("token")
            .asText();
    gateway =
        new GatewayServer(
            ServerSite.fresh(directory.resolve("gateway")),
            stack.kafka(),
            List.of(
                "access.records=signed",
                "devices.topic=" + name + ".devices",
                "devices.group-keys=" + directory.resolve("group-keys"),
                "profiles.names=json",
                "kafka.location-topic-prefix=" + name + ".location."));
    gateway.start();
    gateway.awaitReady(LIMIT);
    HttpResponse<String> registered =
        post("/v1/devices", "{\"class\":\"phone\"}", Map.of("Authorization", "Bearer " + token));
    assertThat(registered.statusCode()).as(registered.body()).isEqualTo(201);
    device = json.readTree(registered.body());
  }

  @AfterEach
  void stop() throws Exception {
    if (gateway != null) {
      gateway.close();
    }
    if (run != null) {
      run.close();
    }
  }

  private HttpResponse<String> post(String path, String body, Map<String, String> headers)
      throws Exception {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(gateway.endpoint() + path))
            .timeout(LIMIT)
            .POST(HttpRequest.BodyPublishers.ofString(body));
    headers.forEach(request::header);
    return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String record(String user) {
    return "{\"user\":\"%s\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":1795176001001}"
        .formatted(user);
  }

  /** Pushes a record with the device's signature. */
  private void push(String user) throws Exception {
    Map<String, String> signature =
        new RequestSigner(
                "lastfix",
                device.path("keyid").asText(),
                Base64.getDecoder().decode(device.path("secret").asText()),
                SignaturePolicy.OF_DEVICES)
            .sign(
                RequestSigner.head("POST", RECORDS, List.of()),
                record(user).getBytes(UTF_8),
                DigestAlgorithm.SHA_256,
                Instant.now());
    HttpResponse<String> answer = post(RECORDS, record(user), signature);
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(202);
  }

  /** A command with the settings of the job, or with those of the topic of devices. */
  private LastfixProcess.Result lastfix(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    if (arguments[0].equals("group") || all.contains("--signatures")) {
      all.addAll(List.of("--devices-topic", name + ".devices"));
    }
    if (all.contains("create") || all.contains("--signatures")) {
      all.addAll(List.of("--group-keys", directory.resolve("group-keys").toString()));
    }
    return LastfixInProcess.run(run, all.toArray(String[]::new));
  }

  private Set<String> storedUsers() {
    Set<String> users = new TreeSet<>();
    for (Document document : run.database().getCollection("last_known_location").find()) {
      users.add(document.getString("_id"));
    }
    return users;
  }

  private JsonNode signatures(int exitCode) throws Exception {
    return lastfix("audit", "--signatures", "--json").mustExitWith(exitCode).json();
  }

  @Test
  void aDeviceStoresItsOwnRecordsAndItsGroupsAndAForgeryIsFoundLater() throws Exception {
    String id = device.path("device").asText();
    push(id);
    push(GROUPS_USER);
    push("somebody");
    String topic = run.config().kafka().locationTopic("json");
    run.producer().send(new ProducerRecord<>(topic, record("around").getBytes(UTF_8))).get();
    // The same bytes and key as the device's, but without its signature.
    run.producer()
        .send(new ProducerRecord<>(topic, id.getBytes(UTF_8), record("somebody").getBytes(UTF_8)))
        .get();
    String job = run.submit();
    run.drain(job);

    assertThat(storedUsers()).containsExactlyInAnyOrder(id, GROUPS_USER);
    assertThat(run.distinctRejected())
        .hasSize(3)
        .allSatisfy(
            rejected ->
                assertThat(LocationRun.header(rejected, "reason")).isEqualTo("not-its-user"));
    ConsumerRecord<byte[], byte[]> somebodys =
        run.distinctRejected().stream()
            .filter(rejected -> rejected.headers().lastHeader("device") != null)
            .findFirst()
            .orElseThrow();
    assertThat(somebodys.value()).asString(UTF_8).isEqualTo(record("somebody"));
    assertThat(LocationRun.header(somebodys, "device")).isEqualTo(id);
    assertThat(lastfix("audit", "--json", "--strict").mustExitWith(0).json().path("rejected"))
        .hasToString("3");
    JsonNode proved = signatures(0);
    assertThat(proved.path("proved").asInt()).isEqualTo(3);
    assertThat(proved.path("unsigned").asInt()).isEqualTo(2);
    assertThat(proved.path("notItsUser").asInt()).isEqualTo(1);
    assertThat(proved.path("forged").asInt()).isZero();

    // The replay still says who sent it, and whom the group could speak for then.
    lastfix("group", "speaks-for", "fleet-a", "--users=35*,somebody").mustExitWith(0);
    assertThat(lastfix("replay-rejected", "--json").mustExitWith(0).json().path("messages"))
        .hasToString("3");
    run.drain(job);
    assertThat(storedUsers()).containsExactlyInAnyOrder(id, GROUPS_USER);
    JsonNode replayed = signatures(0);
    assertThat(replayed.path("proved").asInt()).isEqualTo(4);
    assertThat(replayed.path("notItsUser").asInt()).isZero();
    push("somebody");
    run.drain(job);
    assertThat(storedUsers()).containsExactlyInAnyOrder(id, GROUPS_USER, "somebody");

    // Somebody with access to Kafka writes what the device has not said.
    ProducerRecord<byte[], byte[]> forged =
        new ProducerRecord<>(topic, somebodys.key(), record(id).getBytes(UTF_8));
    somebodys.headers().forEach(header -> forged.headers().add(header));
    run.producer().send(forged).get();
    JsonNode found = signatures(1);
    assertThat(found.path("forgedByReason")).hasToString("{\"wrong-digest\":1}");
    assertThat(found.path("proved").asInt()).isEqualTo(5);
    assertThat(lastfix("audit", "--signatures").mustExitWith(1).err())
        .contains("lastfix audit: 1 messages are forged");

    // The job believes that a gateway has compared a password; the audit counts that apart.
    ProducerRecord<byte[], byte[]> basic =
        new ProducerRecord<>(topic, record("jane").getBytes(UTF_8));
    basic.headers().add("auth", "basic".getBytes(UTF_8));
    basic.headers().add("device", "jane".getBytes(UTF_8));
    run.producer().send(basic).get();
    run.drain(job);
    assertThat(storedUsers()).contains("jane");
    assertThat(signatures(1).path("unproved").asInt()).isEqualTo(1);
  }
}
