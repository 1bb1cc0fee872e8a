package io.lastfix.cli.common;

import java.io.PrintStream;

/**
 * One line on a terminal that is rewritten repeatedly and erased at the end. Shows nothing without
 * a terminal.
 *
 * @param out the terminal
 * @param visible whether it is one
 */
public record StatusLine(PrintStream out, boolean visible) implements AutoCloseable {
  private static final String WIPE = "\r\u001b[K";

  public static StatusLine onStandardError() {
    return new StatusLine(System.err, TerminalStreams.hasStandardError());
  }

  public void show(String text) {
    if (visible) {
      out.print(WIPE + text);
      out.flush();
    }
  }

  @Override
  public void close() {
    show("");
  }
}
