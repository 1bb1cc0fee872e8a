package io.lastfix.cli.common;

import java.io.IOException;

/** The terminal of this process, if there is one. */
public final class Terminal {
  private Terminal() {}

  /**
   * Returns whether the standard error goes to a terminal. Java cannot find out; the shell's {@code
   * test} can. Without that command, the answer is no.
   */
  public static boolean hasStandardError() {
    try {
      Process test =
          new ProcessBuilder("test", "-t", "2")
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      return test.waitFor() == 0;
    } catch (IOException noSuchCommand) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
