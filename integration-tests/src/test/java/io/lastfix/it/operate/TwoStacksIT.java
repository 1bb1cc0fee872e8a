package io.lastfix.it.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import io.lastfix.it.harness.LastfixProcess;
import io.lastfix.it.harness.Nightly;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two local stacks of one user, which both begin with the usual ports. */
@Nightly
class TwoStacksIT {
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final String[] UP = {"up", "--timeout", "100"};

  @TempDir private static Path directory;

  private final Path a = directory.resolve("a");
  private final Path b = directory.resolve("b");
  private final LastfixProcess lastfixOfA = new LastfixProcess(a, directory);
  private final LastfixProcess lastfixOfB = new LastfixProcess(b, directory);

  @AfterEach
  void takeDown() throws Exception {
    try {
      lastfixOfA.run(LIMIT, "down", "--purge").mustExitWith(0);
    } finally {
      lastfixOfB.run(LIMIT, "down", "--purge").mustExitWith(0);
    }
  }

  @Test
  void noneTakesAPortOfTheOtherAlsoIfBothBeginAtOnceOrAServerIsDown() throws Exception {
    try (LastfixProcess.Running first = lastfixOfA.start(UP);
        LastfixProcess.Running second = lastfixOfB.start(UP)) {
      first.await(LIMIT).mustExitWith(0);
      second.await(LIMIT).mustExitWith(0);
    }
    assertThat(portsOf(a)).hasSizeGreaterThanOrEqualTo(5).doesNotContainAnyElementsOf(portsOf(b));

    lastfixOfB.run(LIMIT, "down", "--purge").mustExitWith(0);
    RecordedProcess mongod = state(a).process("mongod-0").orElseThrow();
    ProcessHandle killed = mongod.find().orElseThrow();
    assertThat(killed.destroyForcibly()).isTrue();
    await("mongod is down").atMost(LIMIT).until(() -> !killed.isAlive());
    String former = state(a).endpoints().get("mongodb");
    prefersTheMongodPortOfA();

    lastfixOfB.run(LIMIT, UP).mustExitWith(0);

    assertThat(portsOf(a)).doesNotContainAnyElementsOf(portsOf(b));
    lastfixOfA.run(LIMIT, UP).mustExitWith(0);
    assertThat(state(a).endpoints()).containsEntry("mongodb", former);
  }

  /** As if B had had it in its last run, which is what it tries first. */
  private void prefersTheMongodPortOfA() throws Exception {
    Files.writeString(
        b.resolve("stack.json"),
        "{\"processes\":[],\"ports\":{\"mongod-0\":%d},\"endpoints\":{}}"
            .formatted(state(a).ports().get("mongod-0")));
  }

  private static Set<Integer> portsOf(Path home) {
    return new TreeSet<>(state(home).ports().values());
  }

  private static StackState state(Path home) {
    return StackState.read(new StackHome(home)).orElseThrow();
  }
}
