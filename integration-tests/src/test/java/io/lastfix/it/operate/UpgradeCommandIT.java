package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.submission.SubmittedJobs;
import io.lastfix.cluster.submission.UpgradeRecord.Step;
import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.LastfixProcess.Result;
import io.lastfix.it.harness.LastfixProcess.Running;
import io.lastfix.it.harness.Load;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Oracle;
import io.lastfix.it.harness.PatchedJar;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * {@code lastfix upgrade} under load: to builds that fail, which go back by themselves, to a good
 * one, and by commands that are killed.
 */
class UpgradeCommandIT {
  private static final long SEED = 20261127;

  private static final int MESSAGES_PER_SECOND = Chaos.shortOrLong(100, 500);

  private static final Duration COMMAND_LIMIT = Duration.ofMinutes(3);

  /** What a process ends with that SIGKILL has ended. */
  private static final int KILLED = 137;

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  private static StackHome home;
  private static LastfixProcess lastfix;

  @BeforeAll
  static void startServers() {
    stack = TestStack.startCold(directory, 1, 4);
    home = new StackHome(directory.resolve("home"));
    lastfix = new LastfixProcess(home.root(), directory, Map.of("LASTFIX_FLINK", stack.flinkUrl()));
  }

  @Test
  void badBuildsGoBackByThemselvesAndAGoodOneLosesNothing() throws Exception {
    Scenario scenario = new Scenario(SEED, Chaos.shortOrLong(9_000, 100_000));
    List<Message> messages =
        scenario.withoutUnknownCells(
            Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList());
    try (LocationRun run =
        new LocationRun(stack, directory, "upgraded", "locate.max-wait=10 min")) {
      run.publish(scenario.towers());
      String first = submit(run);
      try (Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        load.sendOnly(load.size() / 6);
        await("records wait for their cell")
            .atMost(LocationRun.LIMIT)
            .until(() -> run.metrics(first).waiting() > 0);
        Result planned = upgrade(run, "--to", PatchedJar.good(directory).toString(), "--dry-run");
        assertThat(planned.mustExitWith(0).err())
            .containsPattern("(?m)^  from       \\d+\\.\\d+\\.\\d+ \\(sha256 ")
            .containsPattern("(?m)^  to         \\d+\\.\\d+\\.\\d+ \\(sha256 ")
            .contains("savepoint  file:", "goes back");
        assertThat(stack.flink().job(first).isRunning()).isTrue();

        List<String> ids = new ArrayList<>(List.of(first));
        ids.add(
            wentBack(
                run, load, 2, PatchedJar.withoutStart(directory), "this build does not start"));
        ids.add(wentBack(run, load, 3, PatchedJar.crashing(directory), "this build crashes"));
        ids.add(wentBack(run, load, 4, PatchedJar.withoutState(directory), "savepoint"));
        Result upgraded = upgrade(run, load, 5, PatchedJar.good(directory));
        JsonNode result = upgraded.mustExitWith(0).json();
        String last = result.path("id").asText();
        assertThat(result.path("upgraded").asBoolean()).isTrue();
        assertThat(upgraded.err()).contains("ledger before: in ", "ledger after: in ");
        assertThat(result.path("balanced").asBoolean()).isTrue();
        ids.add(last);
        assertThat(ids).doesNotHaveDuplicates();
        assertThat(upgrade(run, "--back").mustExitWith(1).err()).contains("no upgrade");

        run.publish(scenario.lateTowers());
        load.finish();
        run.drain(last);
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.distinctRejected());
      }
    }
  }

  @Test
  void aKilledUpgradeIsContinuedOrUndone() throws Exception {
    Scenario scenario = new Scenario(SEED + 1, 3_000);
    List<Message> messages =
        scenario.withoutUnknownCells(
            Stream.concat(scenario.firstHalf().stream(), scenario.secondHalf().stream()).toList());
    try (LocationRun run = new LocationRun(stack, directory, "killed", "locate.max-wait=10 min")) {
      run.publish(scenario.towers());
      String first = submit(run);
      try (Load load = Load.start(run, messages, MESSAGES_PER_SECOND)) {
        String good = PatchedJar.good(directory).toString();
        kill(run, Step.STOPPING, good);
        kill(run, Step.STARTING);
        Result upgraded = upgrade(run, "--json");
        assertThat(upgraded.mustExitWith(0).err()).contains("Continuing the upgrade");
        String second = upgraded.json().path("id").asText();
        assertThat(second).isNotEqualTo(first);

        kill(run, Step.VERIFYING, PatchedJar.crashing(directory).toString());
        Result undone = upgrade(run, "--back", "--json");
        assertThat(undone.mustExitWith(1).err()).contains("Went back to the former jar");
        String third = undone.json().path("id").asText();
        assertThat(stack.flink().jobs().stream().filter(job -> job.isUnfinished("killed")))
            .extracting(job -> job.id())
            .containsExactly(third);

        run.publish(scenario.lateTowers());
        load.finish();
        run.drain(third);
        run.assertHolds(new Oracle(scenario.allTowers()), messages);
        run.assertRejected(messages, run.distinctRejected());
      }
    }
  }

  private static String submit(LocationRun run) throws Exception {
    String id =
        lastfix
            .run(COMMAND_LIMIT, run.command("submit", "location", "--json"))
            .mustExitWith(0)
            .json()
            .path("id")
            .asText();
    await("every task of the job runs")
        .atMost(LocationRun.LIMIT)
        .until(() -> stack.flink().areAllTasksRunning(id));
    return id;
  }

  private static Result upgrade(LocationRun run, String... options) throws Exception {
    return lastfix.run(COMMAND_LIMIT, command(run, options));
  }

  /**
   * Upgrades, and sends more once the former job has ended.
   *
   * @param sixths of the load that is sent by then
   */
  private static Result upgrade(LocationRun run, Load load, int sixths, Path to) throws Exception {
    try (Running running = lastfix.start(command(run, "--to", to.toString(), "--json"))) {
      await("the former job has ended")
          .atMost(LocationRun.LIMIT)
          .until(() -> isAt(run, Step.STARTING));
      load.sendOnly(load.size() * sixths / 6);
      return running.await(COMMAND_LIMIT);
    }
  }

  private static String[] command(LocationRun run, String... options) {
    return run.command(
        Stream.concat(
                Stream.of(
                    "upgrade",
                    "location",
                    "--within",
                    "60",
                    "--savepoint-dir",
                    directory.resolve("savepoints").toUri().toString()),
                Stream.of(options))
            .toArray(String[]::new));
  }

  /** The job that runs the former jar again. */
  private static String wentBack(LocationRun run, Load load, int sixths, Path jar, String reason)
      throws Exception {
    Result result = upgrade(run, load, sixths, jar);
    assertThat(result.mustExitWith(1).err()).contains("Went back to the former jar");
    assertThat(result.json().path("wentBack").asText()).contains(reason);
    String id = result.json().path("id").asText();
    assertThat(stack.flink().job(id).isRunning()).isTrue();
    return id;
  }

  /** Kills an upgrade when it has begun that step. */
  private static void kill(LocationRun run, Step step, String... to) throws Exception {
    String[] options = Stream.of(to).flatMap(jar -> Stream.of("--to", jar)).toArray(String[]::new);
    try (Running running = lastfix.start(command(run, options))) {
      await("the upgrade is at " + step)
          .atMost(LocationRun.LIMIT)
          .pollInterval(Duration.ofMillis(5))
          .until(() -> isAt(run, step));
      running.kill();
      running.await(COMMAND_LIMIT).mustExitWith(KILLED);
    }
  }

  private static boolean isAt(LocationRun run, Step step) throws IOException {
    return SubmittedJobs.elsewhere(home)
        .findUpgrade(run.config().name())
        .filter(upgrade -> upgrade.step() == step)
        .isPresent();
  }
}
