package io.lastfix.cli.stack;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StackLockTest {
  @TempDir private Path directory;

  @Test
  void aSecondHolderIsRefused() {
    StackHome home = new StackHome(directory);

    assertThatThrownBy(
            () -> StackLock.holding(home, () -> StackLock.holding(home, () -> "both at once")))
        .isInstanceOf(StackException.class)
        .hasMessageContaining("another lastfix up or down is at work");
  }

  @Test
  void theLockIsFreeAfterTheWork() {
    StackHome home = new StackHome(directory);
    StackLock.holding(home, () -> "first");

    assertThat(StackLock.<String>holding(home, () -> "second")).isEqualTo("second");
  }
}
