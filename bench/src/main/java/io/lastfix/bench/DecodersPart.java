package io.lastfix.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.lastfix.cluster.Installation;
import io.lastfix.operate.bench.BenchOptions;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Measures each decoder and serializer alone, by JMH in a separate process. */
final class DecodersPart implements BenchPart {
  /**
   * A string, because the program runs with its own class path. {@code ArchitectureTest} checks
   * that it exists.
   */
  private static final String MAIN_CLASS = "io.lastfix.microbenchmarks.Main";

  private static final String RESULTS = "decoders-jmh.json";
  private static final String LOG = "decoders-jmh.log";

  /** The folder of JMH, the output of its annotation processor, and the measured classes. */
  private static final String CLASSES = "classes";

  private static final String LIBRARIES = "lib";

  /** Many times the duration of about thirty benchmarks with seven measurements each. */
  private static final Duration LIMIT = Duration.ofHours(2);

  @Override
  public void run(Bench bench) throws Exception {
    BenchOptions options = bench.options();
    Path output = Files.createDirectories(options.output()).toAbsolutePath();
    Path results = output.resolve(RESULTS);
    bench.say("Decoders: JMH runs; its output goes to " + output.resolve(LOG));
    measure(options, results, output.resolve(LOG));
    DecoderResults found =
        DecoderResults.of(new ObjectMapper().readTree(Files.readAllBytes(results)));
    bench.report().add(found.table());
    found.goals(bench.goals().decoders()).forEach(bench.report()::add);
  }

  private static void measure(BenchOptions options, Path results, Path log)
      throws IOException, InterruptedException {
    if (Installation.isArchive()) {
      throw new IOException(
          "an archive has no microbenchmarks, since JMH is under the GPL: measure the decoders in a clone");
    }
    Path target = Installation.built("bench/microbenchmarks");
    Process process =
        new ProcessBuilder(
                Installation.java(),
                "-cp",
                target.resolve(CLASSES) + File.pathSeparator + target.resolve(LIBRARIES) + "/*",
                MAIN_CLASS,
                "--output",
                results.toString(),
                "--rounds",
                Integer.toString(options.rounds()))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    try {
      if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        throw new IOException(
            "JMH did not end within %d minutes: see %s".formatted(LIMIT.toMinutes(), log));
      }
    } finally {
      // The JVMs that JMH forks do not end with it.
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    if (process.exitValue() != 0) {
      throw new IOException(
          "JMH failed with exit code %d: see %s".formatted(process.exitValue(), log));
    }
  }
}
