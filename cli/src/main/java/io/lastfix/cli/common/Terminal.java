package io.lastfix.cli.common;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The terminal of this process, if there is one. */
public final class Terminal {
  private static final int DEFAULT_WIDTH = 80;
  private static final int DEFAULT_HEIGHT = 24;

  private Terminal() {}

  /**
   * Returns whether the standard error goes to a terminal. Java cannot find out; the shell's {@code
   * test} can. Without that command, the answer is no.
   */
  public static boolean hasStandardError() {
    return isTerminal("2");
  }

  /** The same for the standard output. */
  public static boolean hasStandardOutput() {
    return isTerminal("1");
  }

  private static boolean isTerminal(String descriptor) {
    try {
      return new ProcessBuilder("test", "-t", descriptor).inheritIO().start().waitFor() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** The same for the standard input. */
  public static boolean hasStandardInput() {
    return isTerminal("0");
  }

  /**
   * The size of a terminal in characters.
   *
   * @param columns of a line
   * @param rows lines
   */
  public record Size(int columns, int rows) {}

  /**
   * Returns whether the terminal takes no escape codes.
   *
   * @param environment of this process
   */
  public static boolean isDumb(Map<String, String> environment) {
    return environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  /** Returns the characters of a line of the terminal; 80 if there is none, or it does not say. */
  public static int width() {
    return size().columns();
  }

  /** Returns the size of the terminal; 80 by 24 if there is none, or it does not say. */
  public static Size size() {
    try {
      String[] size = stty("size").strip().split(" ", -1);
      if (size.length == 2) {
        int rows = Integer.parseInt(size[0]);
        int columns = Integer.parseInt(size[1]);
        return new Size(columns > 0 ? columns : DEFAULT_WIDTH, rows > 0 ? rows : DEFAULT_HEIGHT);
      }
    } catch (IOException | NumberFormatException noTerminal) {
      // The default.
    }
    return new Size(DEFAULT_WIDTH, DEFAULT_HEIGHT);
  }

  /**
   * Makes the terminal hand over each key as it is pressed, without showing it, and ignore Ctrl-Z.
   *
   * @return the former modes, for {@link #setModes}; empty if there is no terminal
   */
  public static Optional<String> readKeys() {
    try {
      String former = stty("-g").strip();
      if (former.isEmpty()) {
        return Optional.empty();
      }
      stty("-icanon", "-echo", "min", "1", "susp", "undef");
      return Optional.of(former);
    } catch (IOException noTerminal) {
      return Optional.empty();
    }
  }

  /** Sets the modes that {@link #readKeys} returned. */
  public static void setModes(String modes) {
    try {
      stty(modes);
    } catch (IOException gone) {
      // A terminal that is gone has no modes.
    }
  }

  private static String stty(String... arguments) throws IOException {
    List<String> command = new ArrayList<>(List.of("stty"));
    command.addAll(List.of(arguments));
    Process stty =
        new ProcessBuilder(command)
            .redirectInput(new File("/dev/tty"))
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    return new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
  }
}
