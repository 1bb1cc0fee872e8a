package io.lastfix.microbenchmarks;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.results.format.ResultFormatFactory;
import org.openjdk.jmh.results.format.ResultFormatType;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * Runs the benchmarks in alternating rounds (A B A B), each in separate JVMs, so that a temporary
 * slowdown of the machine affects all of them.
 *
 * <p>Writes one result a benchmark over all rounds, as JMH's JSON. The bytes allocated per
 * operation are in {@code gc.alloc.rate.norm}.
 */
@Command(
    name = "microbenchmarks",
    mixinStandardHelpOptions = true,
    description = "Measures decoders, serializers and conditions with JMH.")
public final class Main implements Callable<Integer> {
  private static final int WARM_UP_ITERATIONS = 4;
  private static final int MEASUREMENTS = 3;

  @Option(
      names = "--output",
      paramLabel = "FILE",
      required = true,
      description = "File for the results, in JMH's JSON.")
  private Path output = Path.of("");

  @Option(
      names = "--seconds-per-measurement",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "Each JVM warms up for four iterations of this length and measures three (default:"
              + " ${DEFAULT-VALUE}).")
  private int secondsPerMeasurement;

  @Option(
      names = "--forks",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "JVMs for each benchmark in a round, one after another (default: ${DEFAULT-VALUE}).")
  private int forks;

  @Option(
      names = "--rounds",
      paramLabel = "N",
      defaultValue = "3",
      description = "Rounds of all benchmarks (default: ${DEFAULT-VALUE}).")
  private int rounds;

  @Option(
      names = "--benchmarks",
      paramLabel = "REGEX",
      defaultValue = "io.lastfix.microbenchmarks.",
      description = "Only benchmarks whose name (class.method) contains this text.")
  private String benchmarks = "";

  private Main() {}

  /** Entry point of the command line; see {@code --help}. */
  public static void main(String[] arguments) {
    System.exit(new CommandLine(new Main()).execute(arguments));
  }

  @Override
  public Integer call() throws RunnerException, IOException {
    Map<BenchmarkParams, List<BenchmarkResult>> results = new LinkedHashMap<>();
    for (int round = 0; round < rounds; round++) {
      for (RunResult result : new Runner(options()).run()) {
        results
            .computeIfAbsent(result.getParams(), params -> new ArrayList<>())
            .addAll(result.getBenchmarkResults());
      }
    }
    write(
        results.entrySet().stream()
            .map(entry -> new RunResult(entry.getKey(), entry.getValue()))
            .toList());
    return CommandLine.ExitCode.OK;
  }

  private Options options() {
    TimeValue time = TimeValue.seconds(secondsPerMeasurement);
    return new OptionsBuilder()
        .include(benchmarks)
        .forks(forks)
        .warmupIterations(WARM_UP_ITERATIONS)
        .warmupTime(time)
        .measurementIterations(MEASUREMENTS)
        .measurementTime(time)
        .addProfiler(GCProfiler.class)
        .jvmArgsAppend("-Xms512m", "-Xmx512m")
        .shouldFailOnError(true)
        .build();
  }

  private void write(Collection<RunResult> results) throws IOException {
    try (PrintStream out = new PrintStream(Files.newOutputStream(output), false, "UTF-8")) {
      ResultFormatFactory.getInstance(ResultFormatType.JSON, out).writeOut(results);
      if (out.checkError()) {
        throw new IOException("Not all results could be written to " + output);
      }
    }
  }
}
