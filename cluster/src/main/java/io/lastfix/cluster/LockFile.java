package io.lastfix.cluster;

import io.lastfix.kit.poll.Poll;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A lock between commands, which are separate processes. The operating system releases it when the
 * holder dies. The file itself stays.
 *
 * @param file created if it is missing; its folder must exist
 * @param holder other possible holders, for the message, such as {@code another lastfix up or down}
 */
public record LockFile(Path file, String holder) {
  private static final Duration POLL = Duration.ofMillis(100);

  /**
   * The locks that this JVM holds. Static, because the operating system's locks belong to the
   * process: closing any channel of a file releases the process's lock on it, so a second thread
   * must not even open one.
   */
  private static final Set<Path> HELD_BY_THIS_PROCESS = ConcurrentHashMap.newKeySet();

  /** A held lock. */
  public static final class Held implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;
    private final AtomicBoolean isHeld = new AtomicBoolean(true);

    private Held(Path file, FileChannel channel) {
      this.file = file;
      this.channel = channel;
    }

    /** Releases the lock. */
    @Override
    public void close() {
      if (!isHeld.getAndSet(false)) {
        return;
      }
      try {
        channel.close();
      } catch (IOException e) {
        throw StackException.cannot("free the lock " + file, e);
      } finally {
        HELD_BY_THIS_PROCESS.remove(file);
      }
    }
  }

  /**
   * Takes the lock; waits for its present holder if necessary.
   *
   * @param patience the longest wait; zero: none
   * @throws StackException naming the holder, if the wait was in vain
   */
  public Held acquire(Duration patience) {
    try {
      return Poll.until(POLL, patience, this::tryAcquire, Optional::isPresent)
          .orElseThrow(
              () ->
                  new StackException(
                      holder + " is running (" + file + "): retry when it has ended"));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new StackException("interrupted while waiting for the lock " + file, e);
    }
  }

  /** Takes the lock, unless another process or thread holds it. */
  public Optional<Held> tryAcquire() {
    try {
      Path realFile = file.toAbsolutePath().getParent().toRealPath().resolve(file.getFileName());
      if (!HELD_BY_THIS_PROCESS.add(realFile)) {
        return Optional.empty();
      }
      Optional<Held> held = Optional.empty();
      try {
        held = lock(realFile);
      } finally {
        if (held.isEmpty()) {
          HELD_BY_THIS_PROCESS.remove(realFile);
        }
      }
      return held;
    } catch (IOException e) {
      throw StackException.cannot("lock " + file, e);
    }
  }

  /** Takes the lock against other processes. */
  private static Optional<Held> lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    boolean isLocked = false;
    try {
      isLocked = channel.tryLock() != null;
    } finally {
      if (!isLocked) {
        channel.close();
      }
    }
    return isLocked ? Optional.of(new Held(file, channel)) : Optional.empty();
  }
}
