package io.lastfix.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.lastfix.cli.stack.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What is alive on the heap of a server that is a JVM. */
final class LiveHeap {
  private static final int LIMIT_SECONDS = 120;

  private LiveHeap() {}

  /** Bytes: the JVM collects before it counts. */
  static long bytes(ServerProcess server) throws IOException, InterruptedException {
    Path output = Files.createTempFile("lastfix-jcmd-", ".txt");
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(server.pid()),
                  "GC.class_histogram")
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean hasEnded = jcmd.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      jcmd.destroyForcibly();
      List<String> lines = Files.readAllLines(output);
      assertThat(hasEnded).as("jcmd has ended, having said %s", lines).isTrue();
      assertThat(jcmd.exitValue()).as("exit code of jcmd: %s", lines).isZero();
      // "Total        654321       45678901": instances and bytes.
      String[] total = lines.get(lines.size() - 1).trim().split("\\s+", -1);
      assertThat(total[0]).isEqualTo("Total");
      return Long.parseLong(total[2]);
    } finally {
      Files.delete(output);
    }
  }
}
