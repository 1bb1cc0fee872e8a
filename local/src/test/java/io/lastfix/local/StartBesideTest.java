package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cluster.StackHome;
import java.nio.file.Path;
import java.util.List;
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
    Path classes =
        Path.of(Sleeper.class.getProtectionDomain().getCodeSource().getLocation().toURI());

    long id =
        stack.startBeside("sleeper", List.of("-cp", classes.toString(), Sleeper.class.getName()));
    ProcessHandle program = ProcessHandle.of(id).orElseThrow();
    try {
      assertThat(program.isAlive()).isTrue();
      assertThat(stack.restartEnded(name -> true).allRan()).isTrue();

      assertThat(stack.down(false)).isEqualTo(1);
      assertThat(program.isAlive()).isFalse();
    } finally {
      program.destroyForcibly();
    }
  }
}
