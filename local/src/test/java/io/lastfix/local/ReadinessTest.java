package io.lastfix.local;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.lastfix.cluster.StackException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReadinessTest {
  @TempDir private Path directory;

  @Test
  void aServerThatIsLateIsSaidToGoOnStartingAndHowToWaitForIt() {
    Path log = directory.resolve("slow.log");
    ServerProcess slow = new ServerProcess("slow", () -> List.of("sleep", "60"), log);
    slow.start();
    try {
      assertThatThrownBy(
              () -> Readiness.await("Kafka", List.of(slow), Duration.ofSeconds(1), () -> false))
          .isInstanceOf(StackException.class)
          .hasMessageContainingAll(
              "Kafka was not ready within 1 s, and is still starting",
              "run lastfix up again, or with --timeout 3",
              log.toString());
    } finally {
      slow.kill();
    }
  }
}
