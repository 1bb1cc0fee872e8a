package io.lastfix.cli;

import io.lastfix.stack.StackException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * The command line in UTF-8. Without a locale of that encoding, the JVM replaces each byte of a
 * letter beyond ASCII by a question mark, so that one user could become another. The {@code
 * lastfix} script chooses such a locale, but not every system has one.
 */
final class CommandArguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");

  private CommandArguments() {}

  /**
   * Returns the arguments as they were typed.
   *
   * @param arguments of {@code main}, as the JVM decoded them
   */
  static String[] asTyped(String[] arguments) {
    if ("UTF-8".equals(System.getProperty("sun.jnu.encoding"))) {
      return arguments;
    }
    try {
      return last(arguments.length, Files.readAllBytes(COMMAND_LINE));
    } catch (IOException e) {
      throw new StackException(
          "cannot read %s: %s; set LC_ALL to a locale of UTF-8, such as C.UTF-8"
              .formatted(COMMAND_LINE, e),
          e);
    }
  }

  /** The last arguments of a process, each of which ends with a zero byte. */
  static String[] last(int count, byte[] commandLine) {
    String[] all = new String(commandLine, StandardCharsets.UTF_8).split("\0", -1);
    return Arrays.copyOfRange(all, all.length - 1 - count, all.length - 1);
  }
}
