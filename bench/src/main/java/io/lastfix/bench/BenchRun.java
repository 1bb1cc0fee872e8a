package io.lastfix.bench;

import io.lastfix.bench.measure.CommandLineText;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** One run of the benchmark: some parts, one after the other. */
public final class BenchRun {
  private final Bench bench;
  private final BenchOptions options;

  /** A run with these servers and workloads. */
  public BenchRun(Bench bench) {
    this.bench = bench;
    options = bench.options();
  }

  /**
   * Checks the directory of the results without changing those of an earlier run, which are still
   * useful if this one fails. Call it before the servers are started and an hour is spent.
   *
   * @throws IOException if it cannot be written to
   */
  public static void requireWritable(BenchOptions options) throws IOException {
    Files.delete(Files.createTempFile(Files.createDirectories(options.output()), "bench", null));
  }

  /**
   * Measures, deletes what it stored before and meanwhile, and writes the results. The results of a
   * part stay useful if another one fails.
   *
   * @param commandLine its words, to be written with the results without their secrets
   * @return the failures of parts
   * @throws IOException if another job runs, if a server does not answer, if no results can be
   *     written, or if a part is interrupted
   */
  public List<Exception> run(Set<Part> parts, List<String> commandLine)
      throws IOException, InterruptedException {
    bench.requireQuiet();
    bench.cleanUp();
    HostInfo.describe(bench, CommandLineText.withoutSecrets(commandLine));
    List<Exception> failures = new ArrayList<>();
    for (Part part : parts) {
      String name = part.argument();
      bench.say("==> " + name + ": " + part.words());
      bench.requireQuiet();
      try {
        part.create().run(bench);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IOException("interrupted while " + name + " was measured", e);
      } catch (Exception e) {
        bench.say("%s has failed: %s".formatted(name, e.getMessage()));
        failures.add(new IOException("%s: %s".formatted(name, e.getMessage()), e));
      }
      bench.report().write(options.output());
    }
    bench.cleanUp();
    return failures;
  }
}
