package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.RecordedProcess;
import io.lastfix.cluster.StackHome;
import io.lastfix.cluster.StackState;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StartBesideTest {
  /** Runs until somebody ends it. */
  static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] arguments) throws InterruptedException {
      Thread.currentThread().join();
    }
  }

  @TempDir private Path directory;

  @Test
  void aProgramBesideTheServersEndsWithThem() throws Exception {
    LocalStack stack = new LocalStack(new StackHome(directory), line -> {});
    ProcessHandle program = sleeper(stack, "sleeper");
    try {
      assertThat(program.isAlive()).isTrue();
      assertThat(stack.restartEnded(name -> true).allRan()).isTrue();

      assertThat(stack.down(false)).isEqualTo(1);
      assertThat(program.isAlive()).isFalse();
    } finally {
      program.destroyForcibly();
    }
  }

  @Test
  void anUpOfARunningStackLeavesItAndAnotherStartEndsIt() throws Exception {
    StackHome home = new StackHome(directory);
    LocalStack stack = new LocalStack(home, line -> {});
    ProcessHandle program = sleeper(stack, "sleeper");
    ProcessHandle server = sleeper(stack, "server");
    try {
      Path log = directory.resolve("log");
      new StackState(List.of(RecordedProcess.of("gateway", server, log)), Map.of(), Map.of())
          .write(home);

      stack.upAndRemember(serversElsewhere(home));
      assertThat(program.isAlive()).isTrue();

      stack.up(serversElsewhere(home));
      assertThat(program.isAlive()).isFalse();
    } finally {
      program.destroyForcibly();
      server.destroyForcibly();
    }
  }

  private static ProcessHandle sleeper(LocalStack stack, String name) throws URISyntaxException {
    Path classes =
        Path.of(Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    long id = stack.startBeside(name, List.of("-cp", classes.toString(), Sleeper.class.getName()));
    return ProcessHandle.of(id).orElseThrow();
  }

  private static StackOptions serversElsewhere(StackHome home) {
    return new StackOptions(
        home,
        new EndpointOverrides(
            Optional.of("mongodb://127.0.0.1/"),
            Optional.of("127.0.0.1:1"),
            Optional.of("http://127.0.0.1:1")),
        MongoShape.replicaSet(1),
        1,
        1,
        Set.of(),
        Duration.ofSeconds(1));
  }
}
