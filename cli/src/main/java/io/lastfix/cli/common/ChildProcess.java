package io.lastfix.cli.common;

import io.lastfix.cluster.Installation;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;

/** A server that a command runs as a process of its own, and with which it ends. */
public final class ChildProcess {
  private ChildProcess() {}

  /**
   * Runs Java to its end; if this JVM is stopped, stops it and waits for it.
   *
   * @param arguments of java
   * @param input all that the process reads; unlike an argument, it may hold passwords
   */
  public static int run(List<String> arguments, byte[] input)
      throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(Installation.java()));
    command.addAll(arguments);
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.INHERIT)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    Thread stop = new Thread(() -> stopAndWait(process), "stop-child");
    Runtime.getRuntime().addShutdownHook(stop);
    try (OutputStream in = process.getOutputStream()) {
      in.write(input);
    }
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
