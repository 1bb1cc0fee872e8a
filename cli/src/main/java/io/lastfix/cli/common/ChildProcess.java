package io.lastfix.cli.common;

import java.io.IOException;

/** A server that a command runs as a process of its own, and with which it ends. */
public final class ChildProcess {
  private ChildProcess() {}

  /** What a command does once the process runs. */
  public interface Started {
    /** Does it. */
    void with(Process process) throws IOException;
  }

  /** Runs the process to its end; if this JVM is stopped, stops it and waits for it. */
  public static int run(ProcessBuilder builder, Started started)
      throws IOException, InterruptedException {
    Process process = builder.start();
    Thread stop = new Thread(() -> stopAndWait(process), "stop-child");
    Runtime.getRuntime().addShutdownHook(stop);
    started.with(process);
    return process.waitFor();
  }

  private static void stopAndWait(Process process) {
    process.destroy();
    try {
      // As long as it takes: the process itself bounds it.
      // Otherwise this JVM, which a signal ends, would exit as if the stop had not been orderly.
      Runtime.getRuntime().halt(process.waitFor());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
