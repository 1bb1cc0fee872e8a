package io.lastfix.cli.common;

import java.util.Map;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;

/** Which streams of this process go to a terminal. */
public final class TerminalStreams {
  private static final int DEFAULT_WIDTH = 80;

  /** Uses the shell's commands. The other providers load a library that is not in the JDK. */
  private static final ExecTerminalProvider PROVIDER = new ExecTerminalProvider();

  private TerminalStreams() {}

  /** Returns whether the standard input comes from a terminal. */
  public static boolean hasStandardInput() {
    return PROVIDER.isPosixSystemStream(SystemStream.Input);
  }

  /** Returns whether the standard output goes to a terminal. */
  public static boolean hasStandardOutput() {
    return PROVIDER.isPosixSystemStream(SystemStream.Output);
  }

  /** Returns whether the standard error goes to a terminal. */
  public static boolean hasStandardError() {
    return PROVIDER.isPosixSystemStream(SystemStream.Error);
  }

  /**
   * Returns whether the terminal takes no escape codes.
   *
   * @param environment of this process
   */
  public static boolean isDumb(Map<String, String> environment) {
    return environment.getOrDefault("TERM", "dumb").equals("dumb");
  }

  /**
   * Returns the characters of a line of the terminal; 80 if the standard input comes from none, or
   * it does not say.
   */
  public static int width() {
    int columns = PROVIDER.systemStreamWidth(SystemStream.Output);
    return columns > 0 ? columns : DEFAULT_WIDTH;
  }
}
