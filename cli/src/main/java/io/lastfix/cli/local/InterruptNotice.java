package io.lastfix.cli.local;

import io.lastfix.stack.EndpointOverrides;
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
   * @param external the user's servers; nothing is said if the command starts none of its own
   * @param err gets the notice if the JVM is ended meanwhile
   */
  static <T> T during(EndpointOverrides external, PrintWriter err, Callable<T> action)
      throws Exception {
    if (external.areComplete()) {
      return action.call();
    }
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
