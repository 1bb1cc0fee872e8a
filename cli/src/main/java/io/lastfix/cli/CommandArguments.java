package io.lastfix.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.lastfix.kit.failure.FileFailure;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;

/**
 * The command line in UTF-8. Without a locale of that encoding, the JVM replaces each byte of a
 * letter beyond ASCII by a question mark; with one, it replaces each byte that is no UTF-8. Both
 * would make one user of two. The {@code lastfix} script chooses such a locale, but not every
 * system has one.
 */
final class CommandArguments {
  private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
  private static final char REPLACEMENT = '\ufffd';

  private CommandArguments() {}

  /**
   * Returns the arguments as they were typed.
   *
   * @param arguments of {@code main}, as the JVM decoded them
   * @throws IOException with a message for the user: one of them is not UTF-8, or cannot be read
   */
  static String[] asTyped(String[] arguments) throws IOException {
    return asTyped(arguments, System.getProperty("sun.jnu.encoding", ""), COMMAND_LINE);
  }

  static String[] asTyped(String[] arguments, String encoding, Path commandLine)
      throws IOException {
    boolean isUtf8 = encoding.equals("UTF-8");
    if (Stream.of(arguments)
        .flatMapToInt(String::chars)
        .noneMatch(it -> isUtf8 ? it == REPLACEMENT : it == '?' || it > '~')) {
      return arguments;
    }
    byte[] bytes;
    try {
      bytes = Files.readAllBytes(commandLine);
    } catch (IOException e) {
      throw new IOException(
          "cannot read the arguments from %s (%s): set LC_ALL to a locale of UTF-8, such as C.UTF-8"
              .formatted(commandLine, FileFailure.reason(e)),
          e);
    }
    return last(arguments.length, bytes);
  }

  /** The last arguments of a process, each of which ends with a zero byte. */
  static String[] last(int count, byte[] commandLine) throws IOException {
    // In this encoding, each byte is a character. The part behind the last zero byte is empty.
    String[] all = new String(commandLine, ISO_8859_1).split("\0", -1);
    String[] last = Arrays.copyOfRange(all, all.length - 1 - count, all.length - 1);
    for (int i = count - 1; i >= 0; i--) {
      try {
        // A new decoder replaces nothing.
        ByteBuffer argument = ByteBuffer.wrap(last[i].getBytes(ISO_8859_1));
        last[i] = UTF_8.newDecoder().decode(argument).toString();
      } catch (CharacterCodingException e) {
        throw new IOException(
            "argument %d of %d is not UTF-8: write it in that encoding".formatted(i + 1, count), e);
      }
    }
    return last;
  }
}
