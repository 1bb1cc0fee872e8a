package io.lastfix.cli;

import io.lastfix.cluster.StackException;
import io.lastfix.cluster.StackHome;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where the commands log. */
final class CommandLog {
  /** The system property that {@code log4j2.xml} reads. */
  static final String PROPERTY = "lastfix.log";

  /** A value of {@link #PROPERTY}: the commands write no log. Every file's path is absolute. */
  static final String NONE = "none";

  private CommandLog() {}

  /**
   * {@code logs/cli.log} in the local stack's home; if that cannot be written, {@link #NONE}. A
   * command that needs the home then fails with a message of its own, and the others do not need a
   * log.
   */
  static String file(Map<String, String> environment) {
    try {
      Path file = StackHome.locate(environment).logFile("cli");
      // Only a regular file: rolling it over deletes it.
      boolean isUsable =
          Files.exists(file) ? isWritableFile(file) : Files.isWritable(file.getParent());
      return isUsable ? file.toString() : NONE;
    } catch (StackException e) {
      return NONE;
    }
  }

  private static boolean isWritableFile(Path file) {
    return Files.isRegularFile(file) && Files.isWritable(file);
  }
}
