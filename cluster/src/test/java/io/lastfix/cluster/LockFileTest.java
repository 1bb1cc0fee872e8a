package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LockFileTest {
  @TempDir private Path directory;

  @Test
  void anAttemptByTheSameProcessDoesNotFreeItForOthers() throws Exception {
    Path file = directory.resolve("lock");
    LockFile.Held held = lock(file).acquire(Duration.ZERO);

    assertThat(lock(file).tryAcquire()).isEmpty();
    assertThat(LockProbe.isFreeForOthers(file)).as("while it is held").isFalse();

    held.close();
    assertThat(LockProbe.isFreeForOthers(file)).as("once it is free").isTrue();
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
}
