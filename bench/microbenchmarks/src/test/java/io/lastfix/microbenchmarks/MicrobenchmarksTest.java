package io.lastfix.microbenchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/** Runs each benchmark once for each parameter; nobody reads the times. */
class MicrobenchmarksTest {
  @Test
  void eachBenchmarkRunsWithEachOfItsParameters() throws Exception {
    Options once =
        new OptionsBuilder()
            .include("Benchmark\\.")
            .forks(0)
            .warmupIterations(0)
            .measurementIterations(1)
            .measurementTime(TimeValue.milliseconds(1))
            .shouldFailOnError(true)
            .verbosity(VerboseMode.SILENT)
            .build();

    Collection<RunResult> results = new Runner(once).run();

    List<String> benchmarks = new ArrayList<>();
    for (RunResult result : results) {
      String name = result.getParams().getBenchmark();
      benchmarks.add(name.substring(name.lastIndexOf('.', name.lastIndexOf('.') - 1) + 1));
    }
    assertThat(benchmarks)
        .contains(
            "SerializerBenchmark.serialize",
            "SerializerBenchmark.deserialize",
            "JsonDecoderBenchmark.decoder",
            "XmlDecoderBenchmark.decoder",
            "StatementBenchmark.generated");
  }
}
