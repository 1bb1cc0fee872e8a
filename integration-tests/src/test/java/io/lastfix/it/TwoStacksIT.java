package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.lastfix.stack.RecordedProcess;
import io.lastfix.stack.StackHome;
import io.lastfix.stack.StackState;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two local stacks of one user, which both begin with the usual ports. */
class TwoStacksIT {
  private static final Duration LIMIT = Duration.ofMinutes(3);

  @TempDir private static Path directory;

  private final Path a = directory.resolve("a");
  private final Path b = directory.resolve("b");
  private final LastfixProcess lastfixOfA = new LastfixProcess(a, directory);
  private final LastfixProcess lastfixOfB = new LastfixProcess(b, directory);

  @AfterEach
  void takeDown() throws Exception {
    lastfixOfA.run(LIMIT, "down", "--purge").mustExitWith(0);
    lastfixOfB.run(LIMIT, "down", "--purge").mustExitWith(0);
  }

  @Test
  void noneTakesAPortOfTheOtherAlsoIfBothBeginAtOnceOrAServerIsDown() throws Exception {
    try (LastfixProcess.Running first = lastfixOfA.start("up", "--timeout", "150");
        LastfixProcess.Running second = lastfixOfB.start("up", "--timeout", "150")) {
      first.await(LIMIT).mustExitWith(0);
      second.await(LIMIT).mustExitWith(0);
    }
    assertThat(portsOf(a)).hasSizeGreaterThanOrEqualTo(5).doesNotContainAnyElementsOf(portsOf(b));

    lastfixOfB.run(LIMIT, "down", "--purge").mustExitWith(0);
    RecordedProcess mongod = state(a).process("mongod-0").orElseThrow();
    ProcessHandle killed = mongod.find().orElseThrow();
    assertThat(killed.destroyForcibly()).isTrue();
    await("mongod is down").atMost(LIMIT).until(() -> !killed.isAlive());

    lastfixOfB.run(LIMIT, "up", "--timeout", "150").mustExitWith(0);

    assertThat(portsOf(a)).doesNotContainAnyElementsOf(portsOf(b));
    String former = state(a).endpoints().get("mongodb");
    lastfixOfA.run(LIMIT, "up", "--timeout", "150").mustExitWith(0);
    assertThat(state(a).endpoints()).containsEntry("mongodb", former);
  }

  private static Set<Integer> portsOf(Path home) {
    return new TreeSet<>(state(home).ports().values());
  }

  private static StackState state(Path home) {
    return StackState.read(new StackHome(home)).orElseThrow();
  }
}
