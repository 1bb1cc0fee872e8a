package io.lastfix.cli.stack;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Held while a command changes the stack. The operating system frees it when the holder dies. */
final class StackLock {
  private StackLock() {}

  /** Does the work, unless another process or thread is changing the same stack. */
  static <T> T holding(StackHome home, Supplier<T> work) {
    Path file = home.lockFile();
    try (FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (tryLock(channel) == null) {
        throw new StackException(
            "another lastfix up or down is at work on this stack (" + file + "); wait for it");
      }
      return work.get();
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
