package io.lastfix.it.faults;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.it.harness.Chaos;
import io.lastfix.it.harness.LocationRun;
import io.lastfix.it.harness.Scenario;
import io.lastfix.it.harness.Scenario.Message;
import io.lastfix.it.harness.TestStack;
import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Submits the job again and again to one cluster, and lets it restart: each loads its classes anew,
 * and a job that keeps the class loader of what has ended fills the metaspace of both servers.
 */
class ClassLoadersIT {
  private static final long SEED = 20261130;
  private static final int SUBMISSIONS = Chaos.shortOrLong(4, 30);
  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** What Flink gives each job on a server. */
  private static final String LOADER = "org.apache.flink.util.ChildFirstClassLoader";

  /**
   * Java 17 remembers the type of the record's component that it compared last (a cache of {@code
   * java.lang.runtime.ObjectMethods.OBJECT_EQ}), and with it one class loader.
   */
  private static final long KEPT_BY_JAVA = 1;

  private static final String WATCHER = "lastfix-deadlock-watcher";

  @TempDir private static Path directory;

  @AutoClose private static TestStack stack;

  /** Servers of its own: on the shared ones, other tests' jobs have left class loaders, too. */
  @BeforeAll
  static void startServers() {
    stack = TestStack.startCold(directory, 1, 4);
  }

  @Test
  void jobsThatEndedLeaveNoClassLoadersBehind() throws Exception {
    Scenario scenario = new Scenario(SEED, 100);
    List<Message> messages = scenario.withoutUnknownCells(scenario.messages());
    List<ServerProcess> servers = new ArrayList<>(stack.cluster().processes());
    try (LocationRun run = new LocationRun(stack, directory, "class-loaders")) {
      run.publish(scenario.allTowers());
      String first = submitAndStore(run, messages);
      assertThat(loaders(servers)).as("class loaders of a job that runs").anyMatch(n -> n > 0);
      List<Long> running = loaders(servers);
      restart(run, first, messages);
      await("class loaders of what ran before the restart are gone")
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () -> {
                List<Long> after = loaders(servers);
                for (int i = 0; i < servers.size(); i++) {
                  assertThat(after.get(i))
                      .as("class loaders of jobs on %s", servers.get(i).name())
                      .isLessThanOrEqualTo(running.get(i));
                }
              });
      run.cancel(first);
      List<Long> afterOne = loaders(servers);
      for (int i = 1; i < SUBMISSIONS; i++) {
        run.cancel(submitAndStore(run, messages));
      }

      // A thread of the last job may still be on its way to its end.
      await("class loaders of ended jobs are gone: %s after one".formatted(afterOne))
          .atMost(LIMIT)
          .pollInterval(Duration.ofSeconds(2))
          .untilAsserted(
              () -> {
                List<Long> afterAll = loaders(servers);
                for (int i = 0; i < servers.size(); i++) {
                  assertThat(afterAll.get(i))
                      .as("class loaders of jobs on %s", servers.get(i).name())
                      .isLessThanOrEqualTo(KEPT_BY_JAVA);
                  // It would hold the one class loader that is allowed.
                  assertThat(jcmd(servers.get(i), "Thread.print"))
                      .as("threads of jobs on %s", servers.get(i).name())
                      .doesNotContain(WATCHER);
                }
              });
      System.out.printf(
          "[class loaders] of %d ended jobs: %s kept by %s%n",
          SUBMISSIONS, loaders(servers), servers.stream().map(ServerProcess::name).toList());
    }
  }

  /** With something stored and something rejected, so that every client of the job has worked. */
  private static String submitAndStore(LocationRun run, List<Message> messages) throws Exception {
    String job = run.submit();
    run.send(messages);
    run.drain(job);
    return job;
  }

  /**
   * MongoDB refuses a write as no role of it allows: the tasks fail, and load their classes anew.
   */
  private static void restart(LocationRun run, String job, List<Message> messages)
      throws Exception {
    long before = run.restarts(job);
    new ReplicaSet(stack.mongo()).refuseOneInsert(0);
    run.send(messages);
    run.awaitRestart(job, before);
    run.drain(job);
  }

  /** How many class loaders of jobs are alive on each server after a full collection. */
  private static List<Long> loaders(List<ServerProcess> servers) throws Exception {
    List<Long> loaders = new ArrayList<>();
    for (ServerProcess server : servers) {
      var unused = jcmd(server, "GC.run");
      loaders.add(
          jcmd(server, "VM.classloader_stats")
              .lines()
              .filter(line -> line.strip().endsWith(LOADER))
              .count());
    }
    return loaders;
  }

  private static String jcmd(ServerProcess server, String command)
      throws IOException, InterruptedException {
    Process jcmd =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                Long.toString(server.pid()),
                command)
            .redirectErrorStream(true)
            .start();
    String said = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
    assertThat(jcmd.waitFor()).as("jcmd %s of %s: %s", command, server.name(), said).isZero();
    return said;
  }
}
