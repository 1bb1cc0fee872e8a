package io.lastfix.cli.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A lock between commands, each a process of its own. The operating system frees it when the holder
 * dies. The file itself stays.
 */
public final class LockFile {
  private static final long POLL_MILLIS = 100;

  private final Path file;
  private final String holder;

  /**
   * @param file made where missing; its folder must exist
   * @param holder who else may hold it, for the message, such as {@code another lastfix up or down}
   */
  public LockFile(Path file, String holder) {
    this.file = file;
    this.holder = holder;
  }

  /** The lock while it is held. */
  public static final class Held implements AutoCloseable {
    private final Path file;
    private final FileChannel channel;

    private Held(Path file, FileChannel channel) {
      this.file = file;
      this.channel = channel;
    }

    /** Frees the lock. */
    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw new StackException("cannot free the lock " + file + ": " + e, e);
      }
    }
  }

  /**
   * Takes the lock, after waiting for its holder.
   *
   * @param patience the longest to wait; zero: not at all
   * @throws StackException naming the holder, when the patience is over
   */
  public Held acquire(Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<Held> held = tryAcquire();
      if (held.isPresent()) {
        return held.get();
      }
      if (System.nanoTime() >= deadline) {
        throw new StackException(holder + " is at work (" + file + "); wait for it");
      }
      try {
        TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new StackException("interrupted while waiting for the lock " + file, e);
      }
    }
  }

  /** Takes the lock, unless another process or thread holds it. */
  public Optional<Held> tryAcquire() {
    try {
      FileChannel channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        return Optional.empty();
      }
      return Optional.of(new Held(file, channel));
    } catch (IOException e) {
      throw new StackException("cannot lock " + file + ": " + e, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException e) {
      // Held by another thread of this JVM: the same answer as held by another process.
      return null;
    }
  }
}
