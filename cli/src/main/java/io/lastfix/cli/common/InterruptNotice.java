package io.lastfix.cli.common;

import io.lastfix.local.EndpointOverrides;
import java.io.PrintWriter;
import java.util.concurrent.Callable;

/** Says what remains if the user interrupts a command in the middle. */
public final class InterruptNotice {
  private InterruptNotice() {}

  /**
   * Runs an action that starts servers: they have sessions of their own, so that the terminal's
   * interrupt does not end them.
   *
   * @param external the user's servers; nothing is said if the command starts none of its own
   * @param err gets the notice if the JVM is ended meanwhile
   */
  public static <T> T during(EndpointOverrides external, PrintWriter err, Callable<T> action)
      throws Exception {
    return external.areComplete()
        ? action.call()
        : during(
            "The servers that were started keep running; lastfix down stops them.", err, action);
  }

  /**
   * Runs an action.
   *
   * @param remains what remains of the action, and what the user can do
   * @param err gets the notice if the JVM is ended meanwhile
   */
  public static <T> T during(String remains, PrintWriter err, Callable<T> action) throws Exception {
    Thread hook =
        new Thread(
            () -> {
              err.println("Interrupted. " + remains);
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
