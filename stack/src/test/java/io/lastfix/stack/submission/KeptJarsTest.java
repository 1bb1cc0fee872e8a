package io.lastfix.stack.submission;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.stack.LockFile;
import io.lastfix.stack.StackHome;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeptJarsTest {
  @TempDir private Path directory;

  /** Tries the lock of the job in the home that is the argument; exits with 0 if it gets it. */
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] arguments) {
      System.exit(lock(Path.of(arguments[0])).tryAcquire().isPresent() ? 0 : 3);
    }
  }

  /** The system releases a process's lock as soon as the process closes any stream of the file. */
  @Test
  void aSearchForUnusedJarsKeepsTheLockOfTheJob() throws Exception {
    LockFile.Held held = lock(directory).acquire(Duration.ZERO);

    new KeptJars(new StackHome(directory)).deleteUnused();

    assertThat(tryInAnotherProcess()).as("while it is held").isEqualTo(3);
    held.close();
    assertThat(tryInAnotherProcess()).as("once it is free").isZero();
  }

  private static LockFile lock(Path home) {
    return SubmittedJobs.ofLocalStack(new StackHome(home)).lock("job");
  }

  private int tryInAnotherProcess() throws Exception {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                directory.toString())
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }
}
