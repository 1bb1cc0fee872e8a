package io.lastfix.it.devices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.TestStack;
import io.lastfix.local.GatewayServer;
import io.lastfix.local.ServerProcess;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The devices job is killed, or stopped and resumed, while one device pushes and another falls
 * silent. The state has to come back: without it the first would be online since the restart only,
 * the second would never go offline, and what both have used before would be forgotten.
 */
class PresenceRestartIT {
  private static final Duration LIMIT = PresenceFleet.LIMIT;

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  @BeforeAll
  static void startServers() {
    stack = TestStack.start(directory.resolve("stack"));
  }

  /** What is done to the job. */
  private interface Harm {
    void to(PresenceFleet fleet) throws Exception;
  }

  @Test
  void presenceAndUsageAreRightAfterTheTaskManagerWasKilled() throws Exception {
    presenceAndUsageAreRightAfter(
        "presence-kill",
        fleet -> {
          String job = fleet.job();
          long restarts = fleet.run().restarts(job);
          ServerProcess taskManager = stack.cluster().taskManagerProcesses().get(0);
          taskManager.kill();
          taskManager.start();
          fleet.run().awaitRestart(job, restarts);
        });
  }

  @Test
  void presenceAndUsageAreRightAfterAStopWithASavepointAndAResumption() throws Exception {
    presenceAndUsageAreRightAfter(
        "presence-stop",
        fleet -> {
          fleet.lastfix("stop", PresenceFleet.DEVICES).mustExitWith(0);
          fleet.lastfix("submit", PresenceFleet.DEVICES, "--resume").mustExitWith(0);
        });
  }

  private static void presenceAndUsageAreRightAfter(String name, Harm harm) throws Exception {
    Path own = Files.createDirectories(directory.resolve(name));
    try (PresenceFleet fleet = new PresenceFleet(stack, own, name);
        PresenceFleet.Usage used = fleet.usage();
        Pushing pushing = new Pushing(fleet, fleet.gateway(), "pushing")) {
      GatewayServer gateway = pushing.gateway;
      assertThat(fleet.push(gateway, "silent")).isEqualTo(202);
      await().atMost(LIMIT).until(() -> fleet.stored("online").equals(Set.of("pushing", "silent")));
      await().atMost(LIMIT).until(() -> used.of("silent") == PresenceFleet.RECORD_BYTES);
      Date pushingSince = fleet.since("pushing");
      List<String> changesBefore = fleet.changes();
      awaitCheckpoint(fleet);

      harm.to(fleet);

      await().atMost(LIMIT).until(() -> fleet.stored("offline").equals(Set.of("silent")));
      pushing.stop();
      await().atMost(LIMIT).until(() -> used.of("pushing") == pushing.accepted());
      assertThat(used.of("silent")).isEqualTo(PresenceFleet.RECORD_BYTES);
      assertThat(fleet.since("pushing"))
          .as("since when the device that never stopped is online")
          .isEqualTo(pushingSince);
      // A change that no checkpoint covered may be there twice, as the same one.
      assertThat(fleet.changes().stream().distinct().filter(change -> change.startsWith("silent")))
          .hasSize(2)
          .startsWith(changesBefore.stream().filter(c -> c.startsWith("silent")).findFirst().get());
      assertThat(fleet.changes().stream().distinct().filter(change -> change.startsWith("pushing")))
          .as("changes of the device that never stopped")
          .hasSizeLessThanOrEqualTo(2)
          .first()
          .asString()
          .startsWith("pushing online ");
      // One that starts now knows only what the job has counted.
      GatewayServer strict =
          fleet.gateway(
              "quota.bytes-per-day=%d b".formatted(limit(pushing)), "limits.max-bytes=1 kb");
      assertThat(fleet.push(strict, "pushing")).isEqualTo(429);
      assertThat(fleet.push(strict, "silent")).isEqualTo(202);
    }
  }

  /** Too little for one more record of the device. */
  private static long limit(Pushing pushing) {
    return pushing.accepted() + PresenceFleet.RECORD_BYTES - 1;
  }

  /** Waits until a checkpoint has begun and ended: it covers what was stored before. */
  private static void awaitCheckpoint(PresenceFleet fleet) throws Exception {
    String job = fleet.job();
    long begun = stack.flink().latestCheckpoint(job);
    await().atMost(LIMIT).until(() -> stack.flink().latestCompletedCheckpoint(job) > begun);
  }

  /** A device that pushes twice a second. */
  private static final class Pushing implements AutoCloseable {
    private final GatewayServer gateway;
    private final AtomicLong accepted = new AtomicLong();
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> pushes;

    private Pushing(PresenceFleet fleet, GatewayServer gateway, String device) {
      this.gateway = gateway;
      pushes =
          thread.scheduleWithFixedDelay(
              () -> {
                assertThat(fleet.push(gateway, device)).isEqualTo(202);
                accepted.addAndGet(PresenceFleet.RECORD_BYTES);
              },
              0,
              500,
              TimeUnit.MILLISECONDS);
    }

    private long accepted() {
      return accepted.get();
    }

    /** Ends it after the answer to the last push. */
    private void stop() throws Exception {
      if (pushes.isDone()) {
        failure();
      }
      thread.shutdown();
      assertThat(thread.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
    }

    /** Fails as the push that went wrong. */
    private void failure() throws ExecutionException, InterruptedException, TimeoutException {
      var unused = pushes.get(1, TimeUnit.SECONDS);
    }

    @Override
    public void close() {
      thread.shutdownNow();
    }
  }
}
