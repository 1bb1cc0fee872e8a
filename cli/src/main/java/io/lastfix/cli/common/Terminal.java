package io.lastfix.cli.common;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** The terminal of this process, if there is one. */
public final class Terminal {
  private static final int DEFAULT_WIDTH = 80;

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

  /** Returns the characters of a line of the terminal; 80 if there is none, or it does not say. */
  public static int width() {
    try {
      Process stty = new ProcessBuilder("stty", "size").redirectInput(new File("/dev/tty")).start();
      String[] size =
          new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII)
              .strip()
              .split(" ", -1);
      return size.length == 2 && Integer.parseInt(size[1]) > 0
          ? Integer.parseInt(size[1])
          : DEFAULT_WIDTH;
    } catch (IOException | NumberFormatException noTerminal) {
      return DEFAULT_WIDTH;
    }
  }
}
