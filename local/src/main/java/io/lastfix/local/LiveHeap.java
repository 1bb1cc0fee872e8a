package io.lastfix.local;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The live objects on the heap of a JVM on this machine, by the JDK's {@code jcmd}. */
public final class LiveHeap {
  private static final int LIMIT_SECONDS = 120;
  private static final String TOTAL = "Total";

  private LiveHeap() {}

  /**
   * The bytes of all live objects. It requests a garbage collection before the histogram. The
   * histogram's own collection does not move objects if moving what lies behind them does not pay
   * (the parallel collector's dense prefix), and counts dead objects there. A requested collection
   * moves all.
   *
   * @param pid of a JVM of this user
   * @throws IOException if that JVM does not answer, with the output of {@code jcmd}
   */
  public static long bytes(long pid) throws IOException, InterruptedException {
    var unused = jcmd(pid, "GC.run");
    return total(jcmd(pid, "GC.class_histogram"));
  }

  private static List<String> jcmd(long pid, String what) throws IOException, InterruptedException {
    Path output = Files.createTempFile("lastfix-jcmd-", ".txt");
    try {
      Process jcmd =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                  Long.toString(pid),
                  what)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      boolean hasEnded = jcmd.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS);
      jcmd.destroyForcibly();
      List<String> lines = Files.readAllLines(output);
      if (!hasEnded || jcmd.exitValue() != 0) {
        throw new IOException(
            "jcmd could not read the heap of process %d: %s".formatted(pid, lines));
      }
      return lines;
    } finally {
      Files.delete(output);
    }
  }

  /** The bytes in a histogram's last line, {@code Total 654321 45678901}: instances and bytes. */
  static long total(List<String> histogram) throws IOException {
    String last = histogram.isEmpty() ? "" : histogram.get(histogram.size() - 1).trim();
    String[] columns = last.split("\\s+", -1);
    if (columns.length != 3 || !columns[0].equals(TOTAL)) {
      throw new IOException("expected a histogram that ends with its total, found: " + last);
    }
    return Long.parseLong(columns[2]);
  }
}
