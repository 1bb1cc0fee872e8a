package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;

/** Devices, a gateway as a process of its own, Kafka, the devices job and MongoDB. */
class PresenceIT {
  private static final Duration LIMIT = PresenceFleet.LIMIT;

  private PresenceFleet fleet;

  @BeforeEach
  void start(@TempDir Path directory, TestInfo test) throws Exception {
    String name = LocationRun.nameFor(test.getTestMethod().orElseThrow().getName());
    fleet =
        new PresenceFleet(
            TestStack.shared(), directory, name.length() <= 60 ? name : name.substring(0, 60));
  }

  @AfterEach
  void stop() throws Exception {
    fleet.close();
  }

  @Test
  void theCommandNamesExactlyTheThirdThatFellSilent() throws Exception {
    GatewayServer gateway = fleet.gateway();
    Set<String> silent = Set.of("push-0", "beat-0", "beat-1");
    Set<String> others = Set.of("push-1", "push-2", "push-3", "beat-2", "beat-3", "beat-4");
    for (String device : silent) {
      assertThat(
              device.startsWith("push") ? fleet.push(gateway, device) : fleet.beat(gateway, device))
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
                          fleet.push(gateway, device);
                        } else {
                          fleet.beat(gateway, device);
                        }
                      }),
              0,
              500,
              TimeUnit.MILLISECONDS);
      await().atMost(LIMIT).until(() -> fleet.stored("offline").equals(silent));

      LastfixProcess.Result listed =
          fleet.lastfix("devices", "--offline", "--json").mustExitWith(0);

      assertThat(names(listed.json())).isEqualTo(silent);
      assertThat(fleet.stored("online")).isEqualTo(others);
      LastfixProcess.Result trackers =
          fleet.lastfix("devices", "--offline", "--class=tracker", "--json").mustExitWith(0);
      assertThat(names(trackers.json())).containsExactlyInAnyOrder("beat-0", "beat-1");
      assertThat(trackers.json().get(0).path("sdk").asText()).isEqualTo("acme/1");

      assertThat(pushing.isDone()).as("whether two thirds have stopped to push").isFalse();
      fleet.push(gateway, "push-0");
      await().atMost(LIMIT).until(() -> fleet.stored("online").contains("push-0"));
    } finally {
      devices.shutdownNow();
    }
  }

  @Test
  void aGatewayThatStartsKnowsWhatADeviceHasUsedElsewhere() {
    GatewayServer first = fleet.gateway("quota.bytes-per-day=2 kb", "limits.max-bytes=1 kb");
    long accepted = 0;
    while (fleet.push(first, "a") == 202) {
      accepted += PresenceFleet.RECORD_BYTES;
    }
    assertThat(accepted).isEqualTo(2_048 / PresenceFleet.RECORD_BYTES * PresenceFleet.RECORD_BYTES);
    long expected = accepted;
    assertThat(fleet.push(first, "b")).isEqualTo(202);
    try (PresenceFleet.Usage used = fleet.usage()) {
      await().atMost(LIMIT).until(() -> used.of("a") == expected);
    }

    GatewayServer second = fleet.gateway("quota.bytes-per-day=2 kb", "limits.max-bytes=1 kb");

    assertThat(fleet.push(second, "a")).isEqualTo(429);
    assertThat(fleet.push(second, "b")).isEqualTo(202);
  }

  @Test
  void aForgottenDeviceIsGoneAndItsSilenceDoesNotBringItBack() throws Exception {
    LocationRun run = fleet.run();
    String location = run.submit();
    GatewayServer gateway = fleet.gateway();
    for (String device : Set.of("gone", "stays")) {
      assertThat(fleet.push(gateway, device)).isEqualTo(202);
    }
    await().atMost(LIMIT).until(() -> fleet.stored("online").equals(Set.of("gone", "stays")));
    run.drain(location);

    JsonNode forgotten = fleet.lastfix("forget", "gone", "--yes", "--json").mustExitWith(0).json();

    assertThat(forgotten.path("deleted").path("devices").asLong()).isEqualTo(1);
    assertThat(forgotten.path("jobs")).hasSize(2);
    // Both fall silent in the same moment.
    await().atMost(LIMIT).until(() -> fleet.stored("offline").equals(Set.of("stays")));
    assertThat(fleet.stored("online")).isEmpty();
    List<String> changes = fleet.changes();
    assertThat(changes.stream().filter(change -> change.startsWith("gone")))
        .last()
        .isEqualTo("gone erased");
    assertThat(changes.stream().filter(change -> change.startsWith("stays offline"))).isNotEmpty();
  }

  /**
   * Erased up to a minute ahead, so that the test need not wait for five: the job applies the list
   * in less.
   */
  @Test
  void anErasedDeviceThatLivesOnComesBackAsANewOne() throws Exception {
    LocationRun run = fleet.run();
    String location = run.submit();
    GatewayServer gateway = fleet.gateway();
    assertThat(fleet.beat(gateway, "erased")).isEqualTo(202);
    await().atMost(LIMIT).until(() -> fleet.stored("online").equals(Set.of("erased")));
    run.drain(location);

    ScheduledExecutorService device = Executors.newSingleThreadScheduledExecutor();
    Instant until;
    try {
      ScheduledFuture<?> pushing =
          device.scheduleWithFixedDelay(
              () -> fleet.push(gateway, "erased"), 0, 500, TimeUnit.MILLISECONDS);
      until =
          Instant.parse(
              fleet
                  .lastfix(
                      "forget",
                      "erased",
                      "--yes",
                      "--json",
                      "--set",
                      "parse.max-timestamp-ahead=1 min")
                  .mustExitWith(0)
                  .json()
                  .path("until")
                  .asText());
      await().atMost(LIMIT).until(() -> fleet.stored("online").equals(Set.of("erased")));
      assertThat(pushing.isDone()).as("whether the device has stopped to push").isFalse();
    } finally {
      device.shutdownNow();
    }

    assertThat(fleet.since("erased")).isAfter(until);
    JsonNode listed = fleet.lastfix("devices", "--json").mustExitWith(0).json();
    assertThat(listed.get(0).path("class").asText("")).isEmpty();
    List<String> changes = fleet.changes();
    assertThat(changes.subList(changes.indexOf("erased erased"), changes.size()))
        .as(changes.toString())
        .anyMatch(change -> change.startsWith("erased online"));
  }

  /** As from before the topic stored append times, dated next year. */
  @Test
  void aMessageWithItsProducersTimeMovesNoDevice() throws Exception {
    GatewayServer gateway = fleet.gateway();
    assertThat(fleet.push(gateway, "stays")).isEqualTo(202);
    await().atMost(LIMIT).until(() -> fleet.stored("online").equals(Set.of("stays")));
    String job = fleet.job();
    long restarts = fleet.run().restarts(job);

    fleet.timestamps("CreateTime", "stays");
    assertThat(fleet.sendDated("undated", Instant.now().plus(Duration.ofDays(365))))
        .as("whether the topic stores that time")
        .containsOnly(true);
    fleet.timestamps("LogAppendTime", "stays");

    assertThat(fleet.push(gateway, "later")).isEqualTo(202);
    await().atMost(LIMIT).until(() -> fleet.stored("online").contains("later"));
    assertThat(fleet.stored("offline")).doesNotContain("later");
    await().atMost(LIMIT).until(() -> fleet.stored("offline").equals(Set.of("later", "stays")));
    assertThat(fleet.since("later")).isBefore(Instant.now());
    assertThat(fleet.run().restarts(job)).isEqualTo(restarts);
  }

  private static Set<String> names(JsonNode listed) {
    Set<String> names = new TreeSet<>();
    listed.forEach(entry -> names.add(entry.path("device").asText()));
    return names;
  }
}
