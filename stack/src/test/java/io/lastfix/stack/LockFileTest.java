package io.lastfix.stack;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
  @TempDir private Path directory;

  /** Tries the lock whose path is the argument; exits with 0 if it gets it, else with 3. */
  static final class OtherProcess {
    private OtherProcess() {}

    public static void main(String[] arguments) {
      System.exit(lock(Path.of(arguments[0])).tryAcquire().isPresent() ? 0 : 3);
    }
  }

  @Test
  void anAttemptByTheSameProcessDoesNotFreeItForOthers() throws Exception {
    Path file = directory.resolve("lock");
    LockFile.Held held = lock(file).acquire(Duration.ZERO);

    assertThat(lock(file).tryAcquire()).isEmpty();
    assertThat(tryInAnotherProcess(file)).as("while it is held").isEqualTo(3);

    held.close();
    assertThat(tryInAnotherProcess(file)).as("once it is free").isZero();
  }

  @Test
  void closingTwiceDoesNotFreeTheLockOfTheNextHolder() {
    LockFile lock = lock(directory.resolve("lock"));
    LockFile.Held first = lock.acquire(Duration.ZERO);
    first.close();
    Optional<LockFile.Held> second = lock.tryAcquire();
    first.close();

    assertThat(second).isPresent();
    assertThat(lock.tryAcquire()).isEmpty();
    second.orElseThrow().close();
  }

  private static LockFile lock(Path file) {
    return new LockFile(file, "another");
  }

  private static int tryInAnotherProcess(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes(LockFile.class) + File.pathSeparator + classes(LockFileTest.class),
                OtherProcess.class.getName(),
                file.toString())
            .inheritIO()
            .start();
    try {
      assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
      return process.exitValue();
    } finally {
      process.destroyForcibly();
    }
  }

  private static String classes(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}
