package io.lastfix.cli.common;

import java.io.PrintStream;

/**
 * One line on a terminal that is written over and over, and wiped at the end. Shows nothing where
 * there is no terminal.
 */
public final class StatusLine implements AutoCloseable {
  private static final String WIPE = "\r\u001b[K";

  private final PrintStream out;
  private final boolean visible;

  private StatusLine(PrintStream out, boolean visible) {
    this.out = out;
    this.visible = visible;
  }

  public static StatusLine onStandardError() {
    return new StatusLine(System.err, Terminal.hasStandardError());
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
