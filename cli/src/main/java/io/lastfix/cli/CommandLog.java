package io.lastfix.cli;

import io.lastfix.stack.StackException;
import io.lastfix.stack.StackHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** Where the commands log. */
final class CommandLog {
  private static final Path NOWHERE = Path.of("/dev/null");

  private CommandLog() {}

  /**
   * {@code logs/cli.log} in the local stack's home; if that cannot be written, the null device. A
   * command that needs the home then fails with a message of its own, and the others do not need a
   * log.
   */
  static Path file(Map<String, String> environment) {
    try {
      Path directory =
          Files.createDirectories(StackHome.locate(environment).root().resolve("logs"));
      Path file = directory.resolve("cli.log");
      return Files.isWritable(Files.exists(file) ? file : directory) ? file : NOWHERE;
    } catch (IOException | StackException e) {
      return NOWHERE;
    }
  }
}
