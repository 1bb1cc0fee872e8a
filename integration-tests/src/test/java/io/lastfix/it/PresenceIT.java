package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.gateway.devices.Devices;
import io.lastfix.gateway.devices.DevicesFollower;
import io.lastfix.stack.GatewayServer;
import io.lastfix.stack.ServerSite;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Devices, a gateway as a process of its own, Kafka, the devices job and MongoDB. */
class PresenceIT {
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String DEVICES = "devices";

  /** More than a step of the job's usage, so that each record is published. */
  private static final int RECORD_BYTES = 150;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final List<GatewayServer> gateways = new ArrayList<>();
  private TestStack stack;
  private Path directory;
  private String name;
  private LocationRun run;
  private LastfixProcess lastfix;

  @BeforeEach
  void start(@TempDir Path temporary, TestInfo test) throws Exception {
    directory = temporary;
    stack = TestStack.shared();
    name = LocationRun.nameFor(test.getTestMethod().orElseThrow().getName());
    name = name.length() <= 60 ? name : name.substring(0, 60);
    run =
        new LocationRun(
            stack,
            directory,
            name,
            "profiles.names=json",
            "devices.heartbeats-topic=" + name + ".heartbeats",
            "devices.presence-topic=" + name + ".presence",
            "devices.usage-topic=" + name + ".devices",
            "devices.default-interval=5 s",
            "devices.usage-step=100 b");
    lastfix =
        new LastfixProcess(
            directory.resolve("home"), directory, Map.of("LASTFIX_FLINK", stack.flinkUrl()));
    lastfix.run(LIMIT, run, "submit", DEVICES).mustExitWith(0);
  }

  @AfterEach
  void stop() throws Exception {
    gateways.forEach(GatewayServer::close);
    lastfix.run(LIMIT, run, "stop", DEVICES).mustExitWith(0);
    run.close();
  }

  private GatewayServer gateway(String... more) {
    List<String> settings =
        new ArrayList<>(
            List.of(
                "profiles.names=json",
                "kafka.location-topic-prefix=" + name + ".location.",
                "heartbeats.topic=" + name + ".heartbeats",
                "heartbeats.tick-interval=1 s",
                "devices.topic=" + name + ".devices"));
    settings.addAll(List.of(more));
    GatewayServer gateway =
        new GatewayServer(
            ServerSite.fresh(directory.resolve("gateway-" + gateways.size())),
            stack.kafka(),
            settings);
    gateways.add(gateway);
    gateway.start();
    gateway.awaitReady(LIMIT);
    return gateway;
  }

  private int post(GatewayServer gateway, String path, String device, String body) {
    try {
      return client
          .send(
              HttpRequest.newBuilder(URI.create(gateway.endpoint() + path))
                  .timeout(Duration.ofSeconds(60))
                  .header("Lastfix-Device", device)
                  .POST(HttpRequest.BodyPublishers.ofString(body))
                  .build(),
              HttpResponse.BodyHandlers.ofString())
          .statusCode();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private int push(GatewayServer gateway, String device) {
    String record =
        "{\"user\":\"%s\",\"position\":{\"lon\":1,\"lat\":2},\"ts\":1795176001001}"
            .formatted(device);
    return post(
        gateway, "/v1/records/json", device, record + " ".repeat(RECORD_BYTES - record.length()));
  }

  private int beat(GatewayServer gateway, String device) {
    return post(
        gateway,
        "/v1/heartbeat",
        device,
        "{\"seq\":1,\"interval\":5,\"class\":\"tracker\",\"sdk\":\"acme/1\"}");
  }

  private Set<String> stored(String state) {
    Set<String> found = new TreeSet<>();
    run.database()
        .getCollection("devices")
        .find(new Document("state", state))
        .forEach(document -> found.add(document.getString("_id")));
    return found;
  }

  @Test
  void theCommandNamesExactlyTheThirdThatFellSilent() throws Exception {
    GatewayServer gateway = gateway();
    Set<String> silent = Set.of("push-0", "beat-0", "beat-1");
    Set<String> others = Set.of("push-1", "push-2", "push-3", "beat-2", "beat-3", "beat-4");
    for (String device : silent) {
      assertThat(device.startsWith("push") ? push(gateway, device) : beat(gateway, device))
          .isEqualTo(202);
    }
    ScheduledExecutorService devices = Executors.newSingleThreadScheduledExecutor();
    try {
      ScheduledFuture<?> pushing =
          devices.scheduleWithFixedDelay(
              () ->
                  others.forEach(
                      device -> {
                        if (device.startsWith("push")) {
                          push(gateway, device);
                        } else {
                          beat(gateway, device);
                        }
                      }),
              0,
              500,
              TimeUnit.MILLISECONDS);
      await().atMost(LIMIT).until(() -> stored("offline").equals(silent));

      LastfixProcess.Result listed =
          lastfix.run(LIMIT, run, "devices", "--offline", "--json").mustExitWith(0);

      assertThat(names(listed.json())).isEqualTo(silent);
      assertThat(stored("online")).isEqualTo(others);
      LastfixProcess.Result trackers =
          lastfix
              .run(LIMIT, run, "devices", "--offline", "--class=tracker", "--json")
              .mustExitWith(0);
      assertThat(names(trackers.json())).containsExactlyInAnyOrder("beat-0", "beat-1");
      assertThat(trackers.json().get(0).path("sdk").asText()).isEqualTo("acme/1");

      assertThat(pushing.isDone()).as("whether two thirds have stopped to push").isFalse();
      push(gateway, "push-0");
      await().atMost(LIMIT).until(() -> stored("online").contains("push-0"));
    } finally {
      devices.shutdownNow();
    }
  }

  @Test
  void aGatewayThatStartsKnowsWhatADeviceHasUsedElsewhere() {
    GatewayServer first = gateway("quota.bytes-per-day=2 kb");
    long accepted = 0;
    while (push(first, "a") == 202) {
      accepted += RECORD_BYTES;
    }
    assertThat(accepted).isEqualTo(2_048 / RECORD_BYTES * RECORD_BYTES);
    long expected = accepted;
    assertThat(push(first, "b")).isEqualTo(202);
    Map<String, Long> used = new ConcurrentHashMap<>();
    try (DevicesFollower follower =
        new DevicesFollower(
                name + ".devices",
                Map.of("bootstrap.servers", stack.kafka()),
                new Devices(),
                LIMIT,
                usage -> used.put(usage.device(), usage.bytes()))
            .start()) {
      follower.ready().join();
      await().atMost(LIMIT).until(() -> used.getOrDefault("a", 0L) == expected);
    }

    GatewayServer second = gateway("quota.bytes-per-day=2 kb");

    assertThat(push(second, "a")).isEqualTo(429);
    assertThat(push(second, "b")).isEqualTo(202);
  }

  private static Set<String> names(JsonNode listed) {
    Set<String> names = new TreeSet<>();
    listed.forEach(entry -> names.add(entry.path("device").asText()));
    return names;
  }
}
