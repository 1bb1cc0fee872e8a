package io.lastfix.bench;

import com.fasterxml.jackson.databind.JsonNode;
import io.lastfix.bench.measure.Goal;
import io.lastfix.bench.measure.ResultTable;
import io.lastfix.bench.measure.ResultTable.Column;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * JMH's results of the decoders, the bare loops over the same bytes, the serializers, and the
 * conditions.
 */
final class DecoderResults {
  /** Methods that only read the bytes with the library that a decoder uses. */
  private static final List<String> BARE_LOOPS = List.of("bareAalto", "bareJackson");

  private static final String DECODER = "decoder";
  private static final String ALLOCATED = "gc.alloc.rate.norm";
  private static final double NANOS_PER_MICRO = 1_000;

  private final List<Result> results;

  private DecoderResults(List<Result> results) {
    this.results = results;
  }

  /**
   * One benchmark.
   *
   * @param group its class, without the part that all names share
   * @param method such as {@code decoder}
   * @param parameters by name, such as {@code profile}
   * @param micros per record
   * @param error half of JMH's confidence interval (99.9 %), in microseconds; NaN if there are too
   *     few measurements
   * @param allocatedBytes per record
   */
  record Result(
      String group,
      String method,
      Map<String, String> parameters,
      double micros,
      double error,
      double allocatedBytes) {
    private boolean hasSameBytesAs(Result other) {
      return group.equals(other.group) && parameters.equals(other.parameters);
    }

    private String words() {
      return parameters.entrySet().stream()
          .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
          .collect(Collectors.joining(" ", method + " ", ""))
          .trim();
    }
  }

  /**
   * Reads JMH's JSON.
   *
   * @throws IOException if it does not hold average times in nanoseconds
   */
  static DecoderResults of(JsonNode json) throws IOException {
    List<Result> results = new ArrayList<>();
    for (JsonNode benchmark : json) {
      JsonNode metric = benchmark.path("primaryMetric");
      String unit = metric.path("scoreUnit").asText();
      if (!unit.equals("ns/op")) {
        throw new IOException("expected JMH's results in ns/op, found: " + unit);
      }
      String[] name = benchmark.path("benchmark").asText().split("\\.", -1);
      Map<String, String> parameters = new TreeMap<>();
      benchmark
          .path("params")
          .properties()
          .forEach(parameter -> parameters.put(parameter.getKey(), parameter.getValue().asText()));
      results.add(
          new Result(
              name[name.length - 2].replace("Benchmark", ""),
              name[name.length - 1],
              parameters,
              number(metric.path("score")) / NANOS_PER_MICRO,
              number(metric.path("scoreError")) / NANOS_PER_MICRO,
              number(benchmark.path("secondaryMetrics").path(ALLOCATED).path("score"))));
    }
    return new DecoderResults(results);
  }

  /** JMH writes an unknown number as text. */
  private static double number(JsonNode node) {
    return node.isNumber() ? node.asDouble() : Double.NaN;
  }

  /** One row a benchmark. */
  ResultTable table() {
    ResultTable table =
        new ResultTable(
            "decoders",
            "Decoders, serializers and conditions: each alone on one thread (JMH; the bare loop"
                + " reads the same bytes and skips the texts)",
            new Column("of", "of", 0),
            new Column("benchmark", "benchmark", 0),
            new Column("micros", "µs/record", 3),
            new Column("error", "±", 3),
            new Column("shareOfBare", "speed, ratio to the bare loop", 2),
            new Column("allocatedBytes", "bytes allocated/record", 0));
    for (Result result : results) {
      table.row(
          result.group(),
          result.words(),
          result.micros(),
          result.error(),
          bareLoopOf(result).map(bare -> bare.micros() / result.micros()).orElse(Double.NaN),
          result.allocatedBytes());
    }
    return table;
  }

  /** The goals of the decoders of the benchmark's workloads. */
  List<Goal> goals(Goals.Decoders targets) {
    List<Goal> goals = new ArrayList<>();
    for (Result result : results) {
      Optional<Result> bare = bareLoopOf(result);
      if (result.method().equals(DECODER)
          && bare.isPresent()
          && !result.parameters().containsValue("mlp")) {
        goals.add(
            Goal.atLeast(
                "%s: speed of the decoder, ratio to %s (%s)"
                    .formatted(
                        result.group(),
                        bare.get().method(),
                        String.join(", ", result.parameters().values())),
                targets.speedShare(),
                bare.get().micros() / result.micros()));
      }
    }
    return goals;
  }

  private Optional<Result> bareLoopOf(Result result) {
    return results.stream()
        .filter(other -> BARE_LOOPS.contains(other.method()) && other.hasSameBytesAs(result))
        .findFirst();
  }
}
