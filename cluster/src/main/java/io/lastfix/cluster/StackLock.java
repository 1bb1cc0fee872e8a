package io.lastfix.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;

/** The lock that a command holds while it changes the stack. */
public final class StackLock {
  private StackLock() {}

  /**
   * Does the work once no other process or thread changes the same stack.
   *
   * @param patience the longest wait for that
   */
  public static <T> T holding(StackHome home, Duration patience, Supplier<T> work) {
    LockFile.Held held = of(home).acquire(patience);
    try (held) {
      return work.get();
    }
  }

  /** Does the work, unless another process or thread changes the same stack. */
  public static <T> Optional<T> ifFree(StackHome home, Supplier<T> work) {
    Optional<LockFile.Held> held = of(home).tryAcquire();
    if (held.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(work.get());
    } finally {
      held.get().close();
    }
  }

  private static LockFile of(StackHome home) {
    return new LockFile(home.lockFile(), "another lastfix up, down or supervise");
  }
}
