package io.lastfix.it.harness;

import io.lastfix.local.ServerProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A server that hangs: it keeps its ports and connections, and does not answer. {@link
 * ServerProcess#kill()} works on it too.
 */
public final class Hang {
  private static final Duration LIMIT = Duration.ofSeconds(10);

  private Hang() {}

  /** Suspends the process (SIGSTOP), until {@link #end}. */
  public static void begin(ServerProcess process) {
    signal("STOP", process);
  }

  /** Resumes a suspended process (SIGCONT). */
  public static void end(ServerProcess process) {
    signal("CONT", process);
  }

  /** Uses the system's {@code kill}, because Java can only send TERM and KILL. */
  private static void signal(String signal, ServerProcess process) {
    String pid = Long.toString(process.pid());
    try {
      Process kill = new ProcessBuilder("kill", "-" + signal, pid).start();
      if (!kill.waitFor(LIMIT.toMillis(), TimeUnit.MILLISECONDS) || kill.exitValue() != 0) {
        throw new IllegalStateException("cannot send %s to %s".formatted(signal, process.name()));
      }
    } catch (IOException e) {
      throw new IllegalStateException("cannot send %s to %s".formatted(signal, process.name()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while sending " + signal, e);
    }
  }
}
