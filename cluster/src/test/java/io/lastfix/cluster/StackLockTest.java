package io.lastfix.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackLockTest {
  @TempDir private Path directory;

  @Test
  void aSecondHolderIsRefused() {
    StackHome home = new StackHome(directory);

    assertThatThrownBy(
            () ->
                StackLock.holding(
                    home,
                    Duration.ZERO,
                    () -> StackLock.holding(home, Duration.ofMillis(1), () -> "both at once")))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("another lastfix up, down or supervise is running");
  }

  @Test
  void theLockIsFreeAfterTheWork() {
    StackHome home = new StackHome(directory);
    StackLock.holding(home, Duration.ZERO, () -> "first");

    assertThat(StackLock.<String>holding(home, Duration.ZERO, () -> "second")).isEqualTo("second");
  }

  @Test
  void aHolderThatEndsInTimeIsWaitedFor() throws Exception {
    StackHome home = new StackHome(directory);
    CountDownLatch held = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    CompletableFuture<String> first =
        CompletableFuture.supplyAsync(
            () ->
                StackLock.holding(
                    home,
                    Duration.ZERO,
                    () -> {
                      held.countDown();
                      Latches.await(mayEnd);
                      return "first";
                    }));
    Latches.await(held);
    CompletableFuture<String> second =
        CompletableFuture.supplyAsync(
            () -> StackLock.holding(home, Duration.ofMinutes(1), () -> "second"));
    mayEnd.countDown();

    assertThat(first).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("first");
    assertThat(second).succeedsWithin(Duration.ofMinutes(1)).isEqualTo("second");
  }

  @Test
  void whatIsDoneOnlyIfFreeIsLeftWhileTheLockIsHeld() {
    StackHome home = new StackHome(directory);

    assertThat(StackLock.ifFree(home, () -> "alone")).contains("alone");
    assertThat(
            StackLock.<Optional<String>>holding(
                home, Duration.ZERO, () -> StackLock.ifFree(home, () -> "both at once")))
        .isEmpty();
  }
}
