package io.lastfix.local;

import io.lastfix.cluster.StackException;
import io.lastfix.local.program.ProgramOutput;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The live objects on the heap of a JVM on this machine, by the JDK's {@code jcmd}. */
public final class LiveHeap {
  private static final Duration LIMIT = Duration.ofMinutes(2);
  private static final String TOTAL = "Total";

  private LiveHeap() {}

  /**
   * The bytes of all live objects. It requests a garbage collection before the histogram. The
   * histogram's own collection does not move objects if moving what lies behind them does not pay
   * (the parallel collector's dense prefix), and counts dead objects there. A requested collection
   * moves all.
   *
   * @param pid of a JVM of this user
   * @throws StackException if that JVM does not answer, with the last line of {@code jcmd}
   * @throws IOException if {@code jcmd} cannot be run, or prints no histogram
   */
  public static long bytes(long pid) throws IOException {
    var unused = jcmd(pid, "GC.run");
    return total(jcmd(pid, "GC.class_histogram"));
  }

  private static List<String> jcmd(long pid, String what) throws IOException {
    Path jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd");
    return ProgramOutput.of(LIMIT, jcmd.toString(), Long.toString(pid), what).lines().toList();
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
