package io.lastfix.cluster;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** Whether another process could take a lock. */
public final class LockProbe {
  private static final int IS_HELD = 3;

  private LockProbe() {}

  /** Tries the lock whose path is the argument. */
  public static void main(String[] arguments) {
    boolean isFree = new LockFile(Path.of(arguments[0]), "another").tryAcquire().isPresent();
    System.exit(isFree ? 0 : IS_HELD);
  }

  /** Returns whether another process could take the lock; it ends at once, and so frees it. */
  public static boolean isFreeForOthers(Path file) throws IOException, InterruptedException {
    Process process =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                classes(LockFile.class) + File.pathSeparator + classes(LockProbe.class),
                LockProbe.class.getName(),
                file.toString())
            .inheritIO()
            .start();
    try {
      if (!process.waitFor(1, TimeUnit.MINUTES)) {
        throw new IllegalStateException("the other process does not end");
      }
      return switch (process.exitValue()) {
        case 0 -> true;
        case IS_HELD -> false;
        default -> throw new IllegalStateException("exit code " + process.exitValue());
      };
    } finally {
      process.destroyForcibly();
    }
  }

  private static String classes(Class<?> type) {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath()).toString();
  }
}
