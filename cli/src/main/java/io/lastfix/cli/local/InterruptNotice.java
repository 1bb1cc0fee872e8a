package io.lastfix.cli.local;

import java.io.PrintWriter;
import java.util.concurrent.Callable;

/**
 * Says what keeps running if the user interrupts a command that starts servers: they have sessions
 * of their own, so that the terminal's interrupt does not end them.
 */
final class InterruptNotice {
  private InterruptNotice() {}

  /**
   * Runs the action.
   *
   * @param err gets the notice if the JVM is ended meanwhile
   */
  static <T> T during(PrintWriter err, Callable<T> action) throws Exception {
    Thread hook =
        new Thread(
            () -> {
              err.println(
                  "Interrupted. The servers that were started keep running; lastfix down stops"
                      + " them.");
              err.flush();
            },
            "interrupt-notice");
    Runtime.getRuntime().addShutdownHook(hook);
    try {
      return action.call();
    } finally {
      remove(hook);
    }
  }

  private static void remove(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      // The JVM is being ended, and the hook runs.
    }
  }
}
